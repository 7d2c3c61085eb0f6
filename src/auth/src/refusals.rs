//! The log of refusals: enough to see an attack or a mistake, never so much that it is one.

use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The time for which lines are counted.
const WINDOW: Duration = Duration::from_secs(10);
/// The most lines in that time.
const MOST: u32 = 10;

/// Writes why somebody was refused, at most ten lines in ten seconds, and how many were left out.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    window: Mutex<Option<Window>>,
}

#[derive(Debug)]
struct Window {
    began: Instant,
    told: u32,
    untold: u64,
}

impl Refusals {
    /// Logs one refusal. `reason` and `hint` hold nothing that a stranger sent; an address is one, or is left out.
    pub(crate) fn tell(&self, reason: &str, hint: Option<&str>, client: Option<IpAddr>) {
        let Some(untold) = self.room(Instant::now()) else { return };
        if untold > 0 {
            tracing::warn!(untold, "more requests were refused");
        }
        let client = client.map(tracing::field::display);
        tracing::warn!(reason, hint, client, "refused");
    }

    /// Whether there is room for a line at `now`, and how many lines there was none for in the time before.
    fn room(&self, now: Instant) -> Option<u64> {
        // A panic elsewhere leaves no half-made count.
        let mut window = self.window.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match window.as_mut() {
            Some(open) if now.saturating_duration_since(open.began) < WINDOW => {
                if open.told == MOST {
                    open.untold += 1;
                    return None;
                }
                open.told += 1;
                Some(0)
            }
            closed => {
                let untold = closed.map_or(0, |window| window.untold);
                *window = Some(Window { began: now, told: 1, untold: 0 });
                Some(untold)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_lines_in_ten_seconds_and_the_rest_is_counted() {
        let refusals = Refusals::default();
        let start = Instant::now();
        let told = (0..1000).filter(|_| refusals.room(start).is_some()).count();
        assert_eq!(told, 10);
        assert_eq!(refusals.room(start + WINDOW - Duration::from_millis(1)), None);
        assert_eq!(refusals.room(start + WINDOW), Some(991));
        assert_eq!(refusals.room(start + WINDOW), Some(0));
    }
}
