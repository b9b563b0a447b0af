//! How a run ends when something stops it in the midst: it says so, and takes the hidden files it
//! was writing with it. (What kills it outright leaves them.)

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Files that have no name of their own yet. One that has got it since is no longer there under
/// this one, and nothing is removed.
static HIDDEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that goes when the run is stopped.
pub fn goes_with_the_run(hidden: &Path) {
    HIDDEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(hidden.to_path_buf());
}

/// Ends the run with one line and exit 1, from any thread and with no memory to be had.
pub fn stop(why: std::fmt::Arguments) -> ! {
    static STOPPING: AtomicBool = AtomicBool::new(false);
    if STOPPING.swap(true, Ordering::Relaxed) {
        // Another thread is about to end the process; if it cannot, this one will.
        std::thread::sleep(Duration::from_secs(5));
        process::abort();
    }
    remove_hidden();
    // Where standard error is closed, the code alone has to say it.
    let _ = writeln!(io::stderr(), "gaintree: {why}");
    process::exit(1)
}

fn remove_hidden() {
    // Whoever holds the list is adding to it: rather leave a file than wait for a stopped thread.
    if let Ok(hidden) = HIDDEN.try_lock() {
        hidden.iter().for_each(|path| drop(fs::remove_file(path)));
    }
}

/// From here on Ctrl-C and its like end the run as they would, only tidily.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGBUS, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    // The standard library's own handler, which would be called first, makes a second SIGBUS
    // deadly: by another thread, before this one has said anything.
    // SAFETY: what is set is no function of ours.
    unsafe { libc::signal(SIGBUS, libc::SIG_DFL) };
    // Without a watch a run ends all the same.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGBUS]) else { return };
    let wait = move || {
        for signal in signals.forever() {
            if signal == SIGBUS {
                // Polars maps files into memory; so the system says that one has lost its end.
                stop(format_args!(
                    "an input was cut short while it was read: run again when it is whole"
                ));
            }
            remove_hidden();
            let _ = emulate_default_handler(signal);
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_string()).spawn(wait);
}

#[cfg(not(unix))]
pub fn watch() {}
