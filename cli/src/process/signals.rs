//! A run that is stopped from outside says so. It removes the hidden files it was writing, and the
//! hidden files that hold what it read. (SIGKILL leaves them.)

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gaintree::remove_unfinished_files;

/// Temporary files, which remove themselves but where nothing is dropped.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Has a temporary file removed where the run is stopped.
pub fn remove_when_stopped(path: &Path) {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_path_buf());
}

fn remove_files() {
    remove_unfinished_files();
    // No wait for a stopped thread.
    if let Ok(temporary) = TEMPORARY.try_lock() {
        temporary.iter().for_each(|path| drop(std::fs::remove_file(path)));
    }
}

/// Ends the run with one line and exit 1. Any thread may call it, and it allocates nothing.
pub fn stop(why: std::fmt::Arguments) -> ! {
    static STOPPING: AtomicBool = AtomicBool::new(false);
    if STOPPING.swap(true, Ordering::Relaxed) {
        // Another thread is ending the process. If it hangs, this one ends it.
        std::thread::sleep(Duration::from_secs(5));
        process::abort();
    }
    remove_files();
    // Where standard error is closed, the exit code is all that can be said.
    let _ = writeln!(io::stderr(), "gaintree: {why}");
    process::exit(1)
}

/// Starts a thread that handles SIGINT, SIGTERM and SIGBUS: files are removed, then the first two
/// end the process as they do by default.
#[cfg(unix)]
pub fn watch_signals() {
    use signal_hook::consts::{SIGBUS, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    // signal-hook calls the handler it found first. Rust's own handler of SIGBUS resets the
    // signal, so that a second one, of another thread, would kill the process before this thread
    // has printed anything.
    // SAFETY: the default action is set, no function of this program.
    unsafe { libc::signal(SIGBUS, libc::SIG_DFL) };
    // Without the thread, signals have their default effect.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGBUS]) else { return };
    let wait = move || {
        for signal in signals.forever() {
            if signal == SIGBUS {
                // Polars maps files into memory. Reading a page past the end of a file that has
                // been truncated since raises SIGBUS.
                stop(format_args!(
                    "an input was cut short while it was read: run again when it is whole"
                ));
            }
            remove_files();
            let _ = emulate_default_handler(signal);
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_string()).spawn(wait);
}

#[cfg(not(unix))]
pub fn watch_signals() {}
