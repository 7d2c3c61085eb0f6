//! Dates as pages write them.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};

/// A date of the front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// The day, as it is written there.
    pub(super) day: Date,
    /// The moment, where time and offset are written too.
    moment: Option<Timestamp>,
}

impl Written {
    /// Whether it is surely before another date: by the moments where both have one, else by the days.
    pub(super) fn is_before(&self, other: &Self) -> bool {
        match (self.moment, other.moment) {
            (Some(own), Some(other)) => own < other,
            _ => self.day < other.day,
        }
    }
}

/// Reads `YYYY-MM-DD`, alone or with a time behind it as RFC 3339 has it; the offset may be missing.
pub(super) fn read(text: &str) -> Option<Written> {
    let (day, rest) = (text.get(..10)?, &text[10..]);
    let has_form =
        day.bytes().zip(*b"0000-00-00").all(|(byte, form)| (byte == form) || (form == b'0' && byte.is_ascii_digit()));
    if !has_form {
        return None;
    }
    let day: Date = day.parse().ok()?;
    let moment = text.parse::<Timestamp>().ok();
    let is_time = rest.starts_with(['T', 't', ' ']) && (moment.is_some() || text.parse::<DateTime>().is_ok());
    (rest.is_empty() || is_time).then_some(Written { day, moment })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_moments_are_dates() {
        for text in [
            "2026-09-02",
            "2028-02-29",
            "2026-09-02T10:00:00Z",
            "2026-06-03T06:56:27.332770+00:00",
            "2026-06-03 06:56:27+02:00",
            "2026-06-03T06:56",
            "2026-06-03 06:56:27",
        ] {
            assert!(read(text).is_some(), "{text}");
        }
    }

    #[test]
    fn anything_else_is_none() {
        for text in [
            "",
            "2026",
            "2026-09",
            "2026-02-30",
            "2027-02-29",
            "20260902",
            "2.9.2026",
            "02/09/2026",
            "2026-9-2",
            "{{date}}",
            "2026-09-02x",
            "2026-09-02T",
            "2026-09-02T25:00",
            "gestern",
            "2026-09-0ü",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn moments_decide_where_both_are_known() {
        let before = |a: &str, b: &str| read(a).unwrap().is_before(&read(b).unwrap());
        assert!(before("2026-09-01", "2026-09-02") && !before("2026-09-02", "2026-09-02"));
        assert!(!before("2026-09-02T12:00:00Z", "2026-09-02"));
        assert!(!before("2026-09-01T23:30:00Z", "2026-09-02T01:00:00+02:00"), "half an hour later");
    }
}
