"""Runs a command and kills it, with all it started, at the N-th call that may change a file (Linux on x86-64, by ptrace).

One counter runs over all threads and children, so that every point is reached; a kill takes the whole tree, as a crash does.
"""
import ctypes
import os
import signal
import struct

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.restype = ctypes.c_long
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
TRACEME, SYSCALL, SETOPTIONS, SYSCALL_INFO = 0, 24, 0x4200, 0x420E
OPTIONS = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x100000  # sysgood, fork, vfork, clone, exec, exitkill
WALL = 0x40000000
OPENS = {2: 1, 257: 2}  # open, openat: where their flags are
CHANGES = {
    1: "write", 18: "pwrite64", 20: "writev", 40: "sendfile", 326: "copy_file_range", 74: "fsync", 75: "fdatasync",
    76: "truncate", 77: "ftruncate", 82: "rename", 264: "renameat", 316: "renameat2", 83: "mkdir", 258: "mkdirat",
    84: "rmdir", 86: "link", 265: "linkat", 87: "unlink", 263: "unlinkat", 88: "symlink", 266: "symlinkat", 90: "chmod",
    91: "fchmod", 268: "fchmodat", 452: "fchmodat2", 92: "chown", 93: "fchown", 260: "fchownat", 280: "utimensat",
    16: "ioctl", 437: "openat2", 231: "exit_group",
}


def _ptrace(request, tid, addr=0, data=0):
    ctypes.set_errno(0)
    if _libc.ptrace(request, tid, addr, data) == -1 and ctypes.get_errno():
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _name(number, args):
    if number in OPENS:
        return "open" if args[OPENS[number]] & (os.O_CREAT | os.O_TRUNC) else None
    return CHANGES.get(number)


class Run:
    """What one run did: how many calls were counted, the one it was killed at, its output."""

    def __init__(self):
        self.calls, self.killed_at, self.status, self.out = 0, None, None, b""


def run(argv, cwd, env, given, kill_at=None, seconds=60):
    """Runs `argv` with `given` on standard input, to its end or to the call with the number `kill_at`."""
    files = [os.memfd_create(name) for name in ("in", "out", "err")]
    os.write(files[0], given)
    os.lseek(files[0], 0, 0)
    done = Run()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            for number, file in enumerate(files):
                os.dup2(file, number)
            os.chdir(cwd)
            _ptrace(TRACEME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            os.execve(argv[0], argv, env)
        finally:
            os._exit(127)

    def late(*_):
        raise TimeoutError(f"{argv} ran longer than {seconds} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    seen, inside = {pid}, set()
    try:
        os.waitpid(pid, WALL)
        _ptrace(SETOPTIONS, pid, 0, OPTIONS)
        _ptrace(SYSCALL, pid)
        while True:
            try:
                tid, status = os.waitpid(-1, WALL)
            except ChildProcessError:
                break
            if os.WIFEXITED(status) or os.WIFSIGNALED(status):
                seen.discard(tid)
                inside.discard(tid)
                if tid == pid:
                    done.status = os.waitstatus_to_exitcode(status)
                continue
            deliver, stop, event = 0, os.WSTOPSIG(status), status >> 16
            if stop == signal.SIGTRAP | 0x80:
                info = ctypes.create_string_buffer(88)
                _ptrace(SYSCALL_INFO, tid, 88, ctypes.addressof(info))
                if info.raw[0] == 1:
                    number, *args = struct.unpack_from("7Q", info.raw, 24)
                    name = _name(number, args)
                    if name:
                        if done.calls == kill_at:
                            done.killed_at = name
                            _kill(seen, pid)
                            break
                        done.calls += 1
            elif not event and not (stop == signal.SIGSTOP and tid not in seen):
                deliver = stop
            seen.add(tid)
            try:
                _ptrace(SYSCALL, tid, 0, deliver)
            except OSError:
                seen.discard(tid)
    except BaseException:
        _kill(seen, pid)
        raise
    finally:
        signal.alarm(0)
        done.out = os.pread(files[1], os.fstat(files[1]).st_size, 0)
        for file in files:
            os.close(file)
    return done


def _kill(seen, group):
    for tid in seen:
        try:
            os.kill(tid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    while True:
        try:
            os.waitpid(-1, WALL)
        except ChildProcessError:
            return
