//! Offsets of time zones. Only builds with Polars know zones; the engine alone prints UTC.

/// The seconds east of UTC of `zone` at a moment, in seconds since 1970-01-01 UTC; 0 if zone or
/// moment are unknown.
#[cfg(feature = "polars")]
pub(super) fn offset_seconds(moment: i128, zone: &str) -> i32 {
    use chrono::{DateTime, Offset, TimeZone};
    let Ok(zone) = zone.parse::<chrono_tz::Tz>() else { return 0 };
    let moment = i64::try_from(moment).ok().and_then(|s| DateTime::from_timestamp(s, 0));
    moment.map_or(0, |m| zone.offset_from_utc_datetime(&m.naive_utc()).fix().local_minus_utc())
}

#[cfg(not(feature = "polars"))]
pub(super) fn offset_seconds(_moment: i128, _zone: &str) -> i32 {
    0
}

/// `+02:00`, or `Z` for no offset.
pub(super) fn suffix(offset: i32) -> String {
    if offset == 0 {
        return "Z".to_string();
    }
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}
