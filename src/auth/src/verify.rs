//! Who is asking: what the headers of a request say, and what the tokens say to that.

use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;
use jiff::Timestamp;

use crate::tokens::Tokens;

/// Why somebody is not let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There is no bearer token.
    Missing,
    /// There are several `Authorization` headers, or what follows `Bearer` is no token.
    Malformed,
    /// Nobody has such a token, or nobody has it any more.
    Unknown,
    /// The token was good once.
    Expired {
        /// Whose it is.
        name: String,
    },
    /// The token file cannot be used, so nobody's token is good.
    NoTokens,
}

impl Refusal {
    /// The value of `WWW-Authenticate`, with the error codes of RFC 6750. They come under status 401 all of them: proxies
    /// take other statuses for failures of their own.
    pub(crate) fn challenge(&self) -> &'static str {
        match self {
            Self::Missing | Self::NoTokens => r#"Bearer realm="chemenu""#,
            Self::Malformed => {
                r#"Bearer realm="chemenu", error="invalid_request", error_description="send one header: Authorization: Bearer TOKEN""#
            }
            Self::Unknown => {
                r#"Bearer realm="chemenu", error="invalid_token", error_description="the token is unknown or was revoked""#
            }
            Self::Expired { .. } => {
                r#"Bearer realm="chemenu", error="invalid_token", error_description="the token has expired""#
            }
        }
    }

    /// The same for the log.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Missing => "no bearer token".into(),
            Self::Malformed => "`Authorization` is malformed or there are several".into(),
            Self::Unknown => "nobody has such a token".into(),
            Self::Expired { name } => format!("the token of `{name}` has expired"),
            Self::NoTokens => "the token file cannot be used".into(),
        }
    }
}

/// The name of whoever sent these headers.
pub(crate) fn verify(headers: &HeaderMap, tokens: &Tokens, now: Timestamp) -> Result<String, Refusal> {
    let token = token(headers)?;
    let entry = tokens.find(token).ok_or(Refusal::Unknown)?;
    if entry.is_good(now) { Ok(entry.name.clone()) } else { Err(Refusal::Expired { name: entry.name.clone() }) }
}

/// The bearer token in `headers`, by the letter of RFC 6750: one header, one blank, one token. Two programs that read
/// something looser could read two different things.
fn token(headers: &HeaderMap) -> Result<&str, Refusal> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or(Refusal::Missing)?;
    if values.next().is_some() {
        return Err(Refusal::Malformed);
    }
    let value = value.to_str().map_err(|_| Refusal::Malformed)?;
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    if !scheme.eq_ignore_ascii_case("Bearer") {
        return Err(Refusal::Missing);
    }
    let body = token.trim_end_matches('=');
    let within = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte);
    if body.is_empty() || !body.bytes().all(within) {
        return Err(Refusal::Malformed);
    }
    Ok(token)
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;
    use sha2::{Digest, Sha256};

    use super::*;

    fn headers(values: &[&[u8]]) -> HeaderMap {
        values.iter().map(|value| (AUTHORIZATION, HeaderValue::from_bytes(value).unwrap())).collect()
    }

    fn ada() -> (Tokens, String) {
        let mut tokens = Tokens::default();
        let token = tokens.add("ada", 1, Timestamp::now()).unwrap();
        (tokens, token)
    }

    #[test]
    fn one_form_is_good_and_the_scheme_has_no_case() {
        let (tokens, token) = ada();
        let ask = |value: String| verify(&headers(&[value.as_bytes()]), &tokens, Timestamp::now());
        for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
            assert_eq!(ask(format!("{scheme} {token}")), Ok("ada".into()));
        }
        for (value, refusal) in [
            (format!("Bearer  {token}"), Refusal::Malformed),
            (format!("Bearer\t{token}"), Refusal::Missing),
            (format!(" Bearer {token}"), Refusal::Missing),
            (format!("Bearer {token} "), Refusal::Malformed),
            (format!("Bearer {token}, Bearer {token}"), Refusal::Malformed),
            (format!("Bearer \"{token}\""), Refusal::Malformed),
            (format!("Bearer {token}="), Refusal::Unknown),
            (format!("Bearer {}", token.to_uppercase()), Refusal::Unknown),
            (format!("Bearer {}", &token[1..]), Refusal::Unknown),
            (format!("Bearer{token}"), Refusal::Missing),
            (format!("Basic {token}"), Refusal::Missing),
            (token.clone(), Refusal::Missing),
            ("Bearer".into(), Refusal::Malformed),
            ("Bearer ".into(), Refusal::Malformed),
            ("Bearer =".into(), Refusal::Malformed),
            (String::new(), Refusal::Missing),
        ] {
            assert_eq!(ask(value.clone()), Err(refusal), "{value:?}");
        }
    }

    #[test]
    fn several_headers_are_refused_even_with_a_good_one_or_alike() {
        let (tokens, token) = ada();
        let good = format!("Bearer {token}");
        for other in [good.as_str(), "Basic eA==", ""] {
            for values in [[good.as_bytes(), other.as_bytes()], [other.as_bytes(), good.as_bytes()]] {
                assert_eq!(verify(&headers(&values), &tokens, Timestamp::now()), Err(Refusal::Malformed));
            }
        }
        assert_eq!(verify(&HeaderMap::new(), &tokens, Timestamp::now()), Err(Refusal::Missing));
    }

    #[test]
    fn a_token_is_good_until_the_second_in_which_it_expires() {
        let mut tokens = Tokens::default();
        let made: Timestamp = "2026-09-02T12:00:00Z".parse().unwrap();
        let token = tokens.add("ada", 1, made).unwrap();
        let headers = headers(&[format!("Bearer {token}").as_bytes()]);
        let at = |time: &str| verify(&headers, &tokens, time.parse().unwrap());
        assert_eq!(at("2026-09-03T11:59:59.999Z"), Ok("ada".into()));
        assert_eq!(at("2026-09-03T12:00:00Z"), Err(Refusal::Expired { name: "ada".into() }));
    }

    /// Bytes that are the same in every run.
    fn noise(seed: u32, length: usize) -> Vec<u8> {
        (0_u32..).flat_map(|block| Sha256::digest([seed, block].map(u32::to_le_bytes).concat())).take(length).collect()
    }

    #[test]
    fn none_of_ten_thousand_random_headers_gets_in() {
        let (tokens, token) = ada();
        let (mut asked, mut reached) = (0, 0);
        for seed in 0_u32.. {
            let random = noise(seed, 80);
            let pick = usize::from(random[0]);
            // Noise, noise behind the scheme, and good tokens with one letter changed, cut off or put in.
            let value: Vec<u8> = match seed % 4 {
                0 => random[1..1 + pick % 79].to_vec(),
                1 => [b"Bearer ", &random[1..1 + pick % 79]].concat(),
                2 => {
                    let mut near = token.clone().into_bytes();
                    let place = pick % near.len();
                    let letters: Vec<u8> = (b'!'..=b'~').filter(|letter| *letter != near[place]).collect();
                    near[place] = letters[usize::from(random[1]) % letters.len()];
                    [b"Bearer ", near.as_slice()].concat()
                }
                _ => {
                    let mut near = token.clone().into_bytes();
                    let place = pick % near.len();
                    if random[1] < 128 {
                        near.truncate(place)
                    } else {
                        near.insert(place, random[2] % 94 + b'!')
                    }
                    [b"bearer ", near.as_slice()].concat()
                }
            };
            let Ok(value) = HeaderValue::from_bytes(&value) else { continue };
            let mut map = HeaderMap::new();
            map.insert(AUTHORIZATION, value);
            match verify(&map, &tokens, Timestamp::now()) {
                Ok(name) => panic!("{map:?} is {name}"),
                Err(Refusal::Unknown) => reached += 1,
                Err(_) => (),
            }
            asked += 1;
            if asked == 10_000 {
                break;
            }
        }
        assert!(reached > 1_000, "most of the noise must reach the comparison: {reached}");
        let good = headers(&[format!("Bearer {token}").as_bytes()]);
        assert_eq!(verify(&good, &tokens, Timestamp::now()), Ok("ada".into()));
    }
}
