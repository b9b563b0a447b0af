//! The memory that is free.

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
