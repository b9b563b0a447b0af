//! The memory of the process, and of the machine.

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

/// Bytes that a process can still take without swapping, where the system says it.
pub fn free_memory() -> Option<u64> {
    free_in(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn free_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::free_in;

    #[test]
    fn the_line_of_free_memory_is_found() {
        let meminfo = "MemTotal:       24590648 kB\nMemAvailable:   1048577 kB\nBuffers: 1 kB\n";
        assert_eq!(free_in(meminfo), Some((1 << 30) + 1024));
        assert_eq!(free_in("MemTotal: 1 kB\n"), None);
    }
}
