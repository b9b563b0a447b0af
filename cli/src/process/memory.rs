//! How the process allocates memory.

use std::alloc::{GlobalAlloc, Layout, System};

use super::signals;

#[global_allocator]
static MEMORY: Memory = Memory;

/// The system's allocator. Where it has no memory left, the run ends with a line, not an abort:
/// for some damaged parquet files Polars asks for more memory than any machine has.
struct Memory;

// SAFETY: each call is passed on to the system allocator with its arguments. If that returns null,
// the call does not return.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        or_stop(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        or_stop(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        or_stop(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        unsafe { System.dealloc(old, layout) }
    }
}

#[inline]
fn or_stop(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() { out_of_memory(size) } else { memory }
}

#[cold]
fn out_of_memory(size: usize) -> ! {
    signals::stop(format_args!(
        "out of memory: {size} bytes were asked for at once; where the data are not that large, an \
         input is damaged"
    ))
}

/// Keeps freed buffers for the next allocation. Streaming allocates and frees buffers of megabytes
/// all the time; by default the GNU allocator returns each to the kernel, which zeroes and maps it
/// page by page when it is asked for again.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` sets a number and takes no pointer; no other thread runs yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 20);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 512 << 20);
    }
}
