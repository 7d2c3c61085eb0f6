//! Tokens, and what is kept of them.
//!
//! ```toml
//! version = 1
//!
//! [[token]]
//! name = "ada"
//! sha256 = "0f…"                       # of the token's text; the token itself is kept nowhere
//! created = 2026-09-02T12:00:00Z
//! expires = 2026-10-02T12:00:00Z       # 90 days after `created` at most
//! ```

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::{ConditionallySelectable, ConstantTimeEq};

/// The longest life of a token, in days.
pub(crate) const MAX_DAYS: u16 = 90;
/// The life of a token for which nothing else was said, in days.
pub(crate) const DEFAULT_DAYS: u16 = 30;

/// How much later than here another clock may be.
const CLOCK_SLACK: SignedDuration = SignedDuration::from_hours(1);
/// What every token begins with, so that scanners for secrets and people know one where they see it.
const PREFIX: &str = "chemenu_";
/// The random bytes of a token.
const RANDOM_BYTES: usize = 32;
/// The longest name, in bytes.
const MAX_NAME: usize = 64;
/// The version of the file's form.
const VERSION: u8 = 1;

const HEAD: &str = "# Tokens of chemenu-auth; change them with `chemenu-auth token`. They are kept as SHA-256 only.\n";

/// The SHA-256 of a token's text.
type Hash = [u8; 32];

/// All tokens of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    entries: Vec<Entry>,
}

/// What is kept of one token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Whose it is.
    pub(crate) name: String,
    hash: Hash,
    /// When it was made.
    pub(crate) created: Timestamp,
    /// From when on it is good no more.
    pub(crate) expires: Timestamp,
}

/// The form of the file.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    version: u8,
    #[serde(default, rename = "token", skip_serializing_if = "Vec::is_empty")]
    tokens: Vec<StoredEntry>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StoredEntry {
    name: String,
    sha256: String,
    created: toml::value::Datetime,
    expires: toml::value::Datetime,
}

impl Tokens {
    /// Reads the text of a token file.
    ///
    /// # Errors
    /// What is wrong and in which line or entry, without the file's text: a token that stands there by a slip must not get into a log. One wrong entry makes the whole file wrong: what
    /// somebody meant to take away must not stay by a slip.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let stored: Stored = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            // Other messages repeat what stands there.
            let message = Some(error.message()).filter(|message| message.starts_with("missing field"));
            format!("line {line}: {}", message.unwrap_or("it is not as it must be"))
        })?;
        if stored.version != VERSION {
            return Err(format!("its `version` is not {VERSION}"));
        }
        let mut tokens = Self::default();
        for (number, entry) in (1..).zip(stored.tokens) {
            let name = entry.name.clone();
            check_name(&name).map_err(|message| format!("token {number}: {message}"))?;
            tokens.push(entry.read()?).map_err(|message| format!("token of `{name}`: {message}"))?;
        }
        Ok(tokens)
    }

    /// The text of a token file.
    pub(crate) fn text(&self) -> String {
        let tokens = self.entries.iter().map(Entry::stored).collect();
        let body = toml::to_string(&Stored { version: VERSION, tokens }).expect("names, digits and dates serialise");
        format!("{HEAD}{body}")
    }

    /// Makes a token of `name` that is good for `days` from `now` on, and gives its text; an expired one of that name
    /// makes room.
    ///
    /// # Errors
    /// The name is taken.
    pub(crate) fn add(&mut self, name: &str, days: u16, now: Timestamp) -> Result<String, String> {
        self.entries.retain(|entry| entry.name != name || entry.is_good(now));
        let mut random = [0; RANDOM_BYTES];
        getrandom::fill(&mut random).map_err(|error| format!("no random bytes: {error}"))?;
        let token = format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(random));
        let created = whole_seconds(now);
        let expires = created + SignedDuration::from_hours(24 * i64::from(days));
        self.push(Entry { name: name.to_owned(), hash: hash(&token), created, expires })?;
        Ok(token)
    }

    /// Takes the token of `name` away; whether there was one.
    pub(crate) fn revoke(&mut self, name: &str) -> bool {
        let before = self.entries.len();
        self.entries.retain(|entry| entry.name != name);
        self.entries.len() < before
    }

    /// The entry of a token, expired or not. It takes the same time whatever the token is like, and wherever its entry
    /// stands.
    pub(crate) fn find(&self, token: &str) -> Option<&Entry> {
        let hash = hash(token);
        let mut found = 0_u32;
        for (number, entry) in (1..).zip(&self.entries) {
            found.conditional_assign(&number, entry.hash.ct_eq(&hash));
        }
        self.entries.get((found as usize).checked_sub(1)?)
    }

    /// All entries, in the order in which they were made.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn push(&mut self, entry: Entry) -> Result<(), String> {
        check_name(&entry.name)?;
        if self.entries.iter().any(|other| other.name == entry.name) {
            return Err("there is one of that name already".into());
        }
        if self.entries.iter().any(|other| other.hash == entry.hash) {
            return Err("another name has the same token".into());
        }
        let life = entry.expires.duration_since(entry.created);
        if !life.is_positive() || life > SignedDuration::from_hours(24 * i64::from(MAX_DAYS)) {
            return Err(format!("`expires` is not within {MAX_DAYS} days after `created`"));
        }
        self.entries.push(entry);
        Ok(())
    }
}

impl Entry {
    /// Whether the token has not expired.
    pub(crate) fn is_good(&self, now: Timestamp) -> bool {
        // One of the future was made by a clock that was wrong, and would live as much longer.
        self.created <= now + CLOCK_SLACK && now < self.expires
    }

    fn stored(&self) -> StoredEntry {
        let time = |time: Timestamp| time.to_string().parse().expect("RFC 3339 is TOML's form of times");
        StoredEntry {
            name: self.name.clone(),
            sha256: self.hash.iter().map(|byte| format!("{byte:02x}")).collect(),
            created: time(self.created),
            expires: time(self.expires),
        }
    }
}

impl StoredEntry {
    fn read(self) -> Result<Entry, String> {
        let name = self.name;
        let time = |key: &str, time: toml::value::Datetime| {
            time.to_string().parse().map_err(|_| format!("token of `{name}`: `{key}` is no date with time and zone"))
        };
        let (created, expires) = (time("created", self.created)?, time("expires", self.expires)?);
        let hash = unhex(&self.sha256).ok_or_else(|| format!("token of `{name}`: `sha256` is not 64 hex digits"))?;
        Ok(Entry { name, hash, created, expires })
    }
}

/// Whether a name can be an identity everywhere: in a header, in a log, in a file.
///
/// # Errors
/// What a name is made of.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let within = |byte: u8| byte.is_ascii_alphanumeric() || b"._@-".contains(&byte);
    if name.starts_with(PREFIX) {
        return Err("that is a token and no name".into());
    }
    let sound = name.len() <= MAX_NAME
        && name.bytes().all(within)
        && name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    if sound {
        Ok(())
    } else {
        Err(format!("a name is 1 to {MAX_NAME} of `A-Z a-z 0-9 . _ @ -`, and begins with a letter or digit"))
    }
}

fn hash(token: &str) -> Hash {
    Sha256::digest(token.as_bytes()).into()
}

fn unhex(digits: &str) -> Option<Hash> {
    let digits: Vec<u8> = digits.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    // An odd digit at the end is left over by `chunks_exact`.
    if digits.len() == 64 { bytes.try_into().ok() } else { None }
}

fn whole_seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).expect("the seconds of a time are a time")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-09-02T12:00:00.75Z";

    fn now() -> Timestamp {
        NOW.parse().unwrap()
    }

    fn entry(changes: &[(&str, &str)]) -> String {
        let hash = "0f".repeat(32);
        let mut text = format!(
            "version = 1\n[[token]]\nname = \"ada\"\nsha256 = \"{hash}\"\ncreated = 2026-09-02T12:00:00Z\nexpires = 2026-10-02T12:00:00Z\n"
        );
        for (old, new) in changes {
            assert!(text.contains(old));
            text = text.replace(old, new);
        }
        text
    }

    #[test]
    fn a_token_is_found_and_its_text_is_not_in_the_file() {
        let mut tokens = Tokens::default();
        let made: Vec<String> =
            ["ada", "ci-bot", "b.c@example.org"].map(|name| tokens.add(name, 90, now()).unwrap()).into();
        let text = tokens.text();
        let again = Tokens::parse(&text).unwrap();
        assert_eq!(again, tokens);
        assert_eq!(again.text(), text);
        for (token, name) in made.iter().zip(["ada", "ci-bot", "b.c@example.org"]) {
            assert!(token.starts_with("chemenu_") && token.len() == 8 + 43, "{token}");
            assert!(!text.contains(&token[8..]));
            assert_eq!(again.find(token).unwrap().name, name);
        }
        assert!(again.find("").is_none() && again.find("chemenu_").is_none());
        assert!(tokens.revoke("ci-bot") && !tokens.revoke("ci-bot"));
        assert!(tokens.find(&made[1]).is_none() && tokens.find(&made[2]).is_some());
    }

    #[test]
    fn a_name_is_taken_until_its_token_expires() {
        let mut tokens = Tokens::default();
        let first = tokens.add("ada", 1, now()).unwrap();
        assert!(tokens.add("ada", 1, now()).is_err());
        assert!(tokens.find(&first).is_some());
        let later = now() + SignedDuration::from_hours(24);
        let second = tokens.add("ada", 1, later).unwrap();
        assert!(tokens.find(&first).is_none() && tokens.find(&second).is_some());
    }

    #[test]
    fn one_wrong_entry_makes_the_file_wrong_and_its_text_is_not_shown() {
        assert_eq!(Tokens::parse(&entry(&[])).unwrap().entries().len(), 1);
        assert_eq!(Tokens::parse("version = 1\n").unwrap(), Tokens::default());
        let twice = entry(&[]) + &entry(&[("version = 1\n", "")]);
        let alike = entry(&[]) + &entry(&[("version = 1\n", ""), ("ada", "bob")]);
        let cases = [
            (String::new(), "version"),
            ("chemenu_SECRET".into(), "line 1"),
            (entry(&[("version = 1", "version = 2")]), "`version` is not 1"),
            (entry(&[("sha256", "sha512")]), "line 4: it is not"),
            (entry(&[("version = 1", "version = \"SECRET\"")]), "line 1: it is not"),
            (entry(&[("version = 1", "version = 1\nSECRET = 3")]), "line 2: it is not"),
            (entry(&[("\"ada\"", "\"SECRET sp\"")]), "token 1: a name is"),
            (entry(&[("0f0f0f", "0f0f")]), "64 hex digits"),
            (entry(&[("0f0f0f", "0g0f0f")]), "64 hex digits"),
            (entry(&[("\"ada\"", "\"a da\"")]), "a name is"),
            (entry(&[("\"ada\"", "\"ada\\nX-Evil: 1\"")]), "a name is"),
            (entry(&[("\"ada\"", "\"\"")]), "a name is"),
            (entry(&[("2026-10-02T12:00:00Z", "2026-12-01T12:00:01Z")]), "within 90 days"),
            (entry(&[("2026-10-02T12:00:00Z", "2026-09-02T12:00:00Z")]), "within 90 days"),
            (entry(&[("2026-10-02T12:00:00Z", "2026-10-02T12:00:00")]), "time and zone"),
            (entry(&[("2026-10-02T12:00:00Z", "2026-10-02")]), "time and zone"),
            (twice, "of that name"),
            (alike, "same token"),
            (entry(&[]) + "[[token", "line 7"),
            (entry(&[("name = \"ada\"\n", "")]), "name"),
        ];
        for (text, message) in cases {
            let error = Tokens::parse(&text).unwrap_err();
            assert!(error.contains(message), "{text}\n{error}");
            assert!(!error.contains("SECRET") && !error.contains("0f0f"), "{error}");
        }
        assert!(Tokens::parse(&entry(&[("2026-10-02", "2026-12-01")])).is_ok(), "90 days are within 90 days");
    }

    #[test]
    fn a_token_of_the_future_is_not_good() {
        let tokens = Tokens::parse(&entry(&[("2026-09-02", "2027-09-02"), ("2026-10-02", "2027-10-02")])).unwrap();
        assert!(!tokens.entries()[0].is_good(now()));
        assert!(tokens.entries()[0].is_good(now() + SignedDuration::from_hours(24 * 366)));
    }

    #[test]
    fn names_are_fit_for_headers() {
        for name in ["a", "ada", "A.b_c-d@example.org", "0", &"x".repeat(64)] {
            assert_eq!(check_name(name), Ok(()));
        }
        for name in ["", "-a", ".a", "a b", "a:b", "a\n", "ä", "a,b", "a/b", "a\0", "chemenu_x", &"x".repeat(65)] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
    }
}
