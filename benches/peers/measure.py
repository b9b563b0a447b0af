"""One run in a process of its own: what it printed, how long it took, how much memory it had."""

import json
import os
import subprocess
import tempfile
import threading
import time


def run(command: list, threads: int, limit: float) -> dict:
    """The JSON of the last line on standard output, and `process_s`, `cpu_s`, `peak_kb`; or
    `failed`, which says why. A run past `limit` seconds is ended."""
    bounds = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")
    env = os.environ | {name: str(threads) for name in bounds}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        child = subprocess.Popen([str(c) for c in command], stdout=out, stderr=err, env=env)
        alarm = threading.Timer(limit, child.kill)
        alarm.start()
        # Popen.wait would not tell what the process used.
        _, status, used = os.wait4(child.pid, 0)
        process = time.perf_counter() - start
        late = not alarm.is_alive()
        alarm.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        lines, errors = out.read().splitlines(), err.read().split("\n")
    if child.returncode != 0:
        words = [line.strip() for line in errors if line.strip()]
        why = f"more than {limit:.0f} s" if late else (words or [f"exit {child.returncode}"])[-1]
        return {"failed": why[:200], "late": late}
    result = json.loads(lines[-1])
    result.setdefault("peak_kb", used.ru_maxrss)
    return result | {"process_s": process, "cpu_s": used.ru_utime + used.ru_stime}
