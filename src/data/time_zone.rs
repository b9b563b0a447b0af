//! The offset of a time zone. Only a build with Polars knows zones; the engine alone prints UTC.

/// Seconds east of UTC in `zone` at a moment given in seconds since 1970-01-01 UTC; 0 for a
/// zone or moment unknown.
#[cfg(feature = "polars")]
pub(crate) fn offset_seconds(moment: i128, zone: &str) -> i32 {
    use chrono::{DateTime, Offset, TimeZone};
    let Ok(zone) = zone.parse::<chrono_tz::Tz>() else { return 0 };
    let moment = i64::try_from(moment).ok().and_then(|s| DateTime::from_timestamp(s, 0));
    moment.map_or(0, |m| zone.offset_from_utc_datetime(&m.naive_utc()).fix().local_minus_utc())
}

/// See the build with Polars.
#[cfg(not(feature = "polars"))]
pub(crate) fn offset_seconds(_moment: i128, _zone: &str) -> i32 {
    0
}

/// `+02:00`, or `Z` for no offset.
pub(crate) fn suffix(offset: i32) -> String {
    if offset == 0 {
        return "Z".to_string();
    }
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}
