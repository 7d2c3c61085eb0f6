//! A node as JSON, two ways: as YAML 1.2 core types it, and as its source text.

use serde_json::{Number, Value as Json};

use super::{Node, Scalar, Value};

/// The largest integer up to which every integer is exact in a double, as JSON readers keep numbers.
const MAX_INTEGER: u64 = 1 << 53;

impl Node {
    /// The node as JSON: numbers, bools and null where YAML 1.2 core says so and nothing is lost.
    ///
    /// Strings stay integers beyond ±2^53, numbers with leading zeros, floats with more digits than a double holds, and
    /// `.inf` and `.nan`.
    pub fn to_json(&self) -> Json {
        self.json(&typed)
    }

    /// The node as JSON with every scalar as its source text; only nothing and `~` are null.
    pub fn to_json_text(&self) -> Json {
        self.json(&|scalar| if scalar.is_blank() { Json::Null } else { scalar.text.as_str().into() })
    }

    // Recursion is safe: `compose` bounds the depth.
    fn json(&self, scalar: &impl Fn(&Scalar) -> Json) -> Json {
        match &self.value {
            Value::Scalar(text) => scalar(text),
            Value::Sequence(items) => items.iter().map(|item| item.json(scalar)).collect(),
            Value::Mapping(entries) => Json::Object(
                entries
                    .iter()
                    .map(|(key, value)| (key.text().unwrap_or_default().to_owned(), value.json(scalar)))
                    .collect(),
            ),
        }
    }
}

fn typed(scalar: &Scalar) -> Json {
    let text = scalar.text.as_str();
    if !scalar.plain {
        return text.into();
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Json::Null,
        "true" | "True" | "TRUE" => true.into(),
        "false" | "False" | "FALSE" => false.into(),
        _ => number(text).map_or_else(|| text.into(), Json::Number),
    }
}

/// The number that a plain scalar is in YAML 1.2 core, unless it would not come back with the same digits.
fn number(text: &str) -> Option<Number> {
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    let (negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let integer = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    if integer > 1 && unsigned.starts_with('0') {
        return None;
    }
    if integer == unsigned.len() {
        let value = unsigned.parse::<u64>().ok().filter(|&value| value <= MAX_INTEGER)? as i64;
        return Some(if negative { -value } else { value }.into());
    }
    let decimal = Decimal::parse(unsigned)?;
    let value: f64 = text.parse().ok()?;
    (Decimal::parse(&format!("{:e}", value.abs()))? == decimal).then(|| Number::from_f64(value))?
}

fn radix(digits: &str, radix: u32) -> Option<Number> {
    // `from_str_radix` takes a sign, YAML does not; leading zeros would be lost.
    if digits.starts_with(['+', '-']) || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    u64::from_str_radix(digits, radix).ok().filter(|&value| value <= MAX_INTEGER).map(Number::from)
}

/// An unsigned decimal number by its digits: 0.`digits` × 10^`exponent`, without zeros on either side.
#[derive(PartialEq)]
struct Decimal {
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// `12`, `1.5`, `.5`, `1.`, each with `e9`, `E+9`, `e-9`; `None` for everything else.
    fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
                if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    return None;
                }
                (mantissa, exponent.parse::<i32>().ok()?)
            }
            None => (text, 0),
        };
        let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [integer, fraction].concat();
        if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let significant = all.trim_start_matches('0');
        if significant.is_empty() {
            return Some(Self { digits: Vec::new(), exponent: 0 });
        }
        let leading = all.len() - significant.len();
        Some(Self {
            digits: significant.trim_end_matches('0').as_bytes().to_vec(),
            exponent: i64::from(exponent) + integer.len() as i64 - leading as i64,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plain(text: &str) -> Json {
        typed(&Scalar { text: text.into(), plain: true })
    }

    #[test]
    fn numbers_that_lose_nothing_are_numbers() {
        for (text, value) in [
            ("0", json!(0)),
            ("-7", json!(-7)),
            ("+5", json!(5)),
            ("9007199254740992", json!(9007199254740992_i64)),
            ("0o17", json!(15)),
            ("0x1F", json!(31)),
            ("0.50", json!(0.5)),
            ("-.5", json!(-0.5)),
            ("1.", json!(1.0)),
            ("1e3", json!(1000.0)),
            ("6.02E+23", json!(6.02e23)),
            ("0.30000000000000004", json!(0.30000000000000004)),
            ("0.0", json!(0.0)),
        ] {
            assert_eq!(plain(text), value, "{text}");
        }
    }

    #[test]
    fn numbers_that_would_lose_something_are_strings() {
        for text in [
            "020",
            "001",
            "-01",
            "00",
            "01.10",
            "0x00ff",
            "2061907337154367865",
            "-9007199254740993",
            "9007199254740993.0",
            "0.1000000000000000055",
            "1e999",
            "1e-999",
            "1e99999999999999999999",
            ".inf",
            "-.INF",
            ".nan",
            "1_000",
            "0o8",
            "0x",
            "0o+7",
            "-0x1F",
            "1e",
            "e5",
            ".",
            "-",
            "+",
            "1.2.3",
            "12:30",
            "2026-09-02",
            "1 2",
            "١",
            "inf",
            "NaN",
            "infinity",
            "0b1",
        ] {
            assert_eq!(plain(text), json!(text));
        }
    }

    #[test]
    fn core_words_and_nothing_else() {
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(plain(text), Json::Null, "{text}");
        }
        assert_eq!((plain("True"), plain("FALSE")), (json!(true), json!(false)));
        for text in ["yes", "No", "on", "off", "tRue", "nULL", "n"] {
            assert_eq!(plain(text), json!(text));
        }
    }
}
