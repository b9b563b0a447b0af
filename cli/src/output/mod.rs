//! Where results go. A file appears whole or not at all under its own name.

mod destination;
mod forms;
mod nested_json;
mod picture;
mod run_report;
mod standard;
mod stream;
mod table;
mod times;

pub use destination::{Output, Places};
pub use nested_json::json_of;
pub use picture::{Picture, ReportPage, check_pictures};
pub use run_report::{RunReport, timed};
pub use standard::{note, note_all, print};
pub use stream::write_query;
pub use times::text_of;
