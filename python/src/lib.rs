//! The native module of the Python package: it carries values across, and holds no algorithm.
//!
//! Frames cross column by column, by the Arrow C data interface: their chunks and dtypes stay as they are. What a
//! caller gets wrong is an exception of `gaintree.errors`. Long work leaves the interpreter free,
//! and ends at Ctrl-C.

mod asked;
mod c_data;
mod capsules;
mod classes;
mod code;
mod errors;
mod expressions;
mod forest;
mod forks;
mod frames;
mod in_parts;
mod model;
mod models;
mod passes;
mod pictures;
mod plugin;
mod run;
mod specs;
mod sql;
mod tree;
mod verbs;
mod when_then;
mod woe;

use mimalloc::MiMalloc;
use pyo3::prelude::*;

// The system's allocator gives large blocks back to the kernel and clears them anew each time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[pymodule]
fn _gaintree(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // A panic becomes an exception; its text for developers would only alarm users.
    std::panic::set_hook(Box::new(|_| {}));
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(run::check_not_forked, module)?)?;
    module.add_class::<classes::Tree>()?;
    module.add_class::<classes::Forest>()?;
    module.add_class::<classes::Model>()?;
    module.add_class::<in_parts::RowsInParts>()?;
    module.add_class::<sql::Query>()?;
    module.add_class::<woe::WoeBins>()?;
    module.add_class::<woe::Scorecard>()?;
    module.add_function(wrap_pyfunction!(verbs::call, module)?)?;
    module.add_function(wrap_pyfunction!(pictures::screen_html, module)?)?;
    module.add_function(wrap_pyfunction!(pictures::table_svg, module)?)?;
    module.add_function(wrap_pyfunction!(pictures::svg_on, module)?)?;
    Ok(())
}
