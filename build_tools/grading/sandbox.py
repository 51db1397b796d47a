"""A process without network that can write to one private folder only."""

import ctypes
import os
import resource
import shutil
import subprocess
import sys

MEMORY = 8 * 2**30  # bytes of data a submission may take
FILE_SIZE = 2**30
NAMESPACES = ("--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc")
BIND, PRIVATE = 0x1000, 0x44000  # of Linux's mount; the second recursive
RECURSIVE, READ_ONLY, MOUNT_SETATTR = 0x8000, 1, 442  # of Linux's mount_setattr


def how():
    """Return "bwrap" or "unshare", whichever works here, or None."""
    for kind in ("bwrap", "unshare"):
        if shutil.which(kind):
            command = wrap(kind, [sys.executable, "-c", "pass"], os.getcwd(), [])
            done = subprocess.run(command, capture_output=True, timeout=60)
            if done.returncode == 0:
                return kind
    return None


def wrap(kind, command, folder, hidden):
    """Return the command that runs `command` in the sandbox `kind`.

    folder: the only place it can write to. hidden: folders that look empty to it.
    kind None runs it as it is.
    """
    if kind == "bwrap":
        hide = [word for path in hidden for word in ("--tmpfs", str(path))]
        own = ["--bind", str(folder), str(folder), "--chdir", str(folder)]
        return [
            *("bwrap", "--unshare-all", "--unshare-user", "--cap-drop", "ALL"),
            *("--die-with-parent", "--new-session"),
            *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
            *(*hide, *own, *command),
        ]
    if kind == "unshare":
        inside = [sys.executable, __file__, str(folder), str(len(hidden))]
        inside += [*map(str, hidden), *command]
        return ["unshare", *NAMESPACES, "--fork", "--kill-child", *inside]
    return list(command)


def limits():
    """Limits of the process itself; called in it, before it runs."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def close_and_run(folder, hidden, command):
    """Within new namespaces: make all but `folder` read-only, then run `command`.

    It runs in namespaces below these, to which the mounts are locked: with its
    rights over its own it could otherwise make everything writable again. A /proc
    of its own hides the processes outside, whose files it could reach through them.
    """
    own = os.open(folder, os.O_PATH)  # which may lie in a hidden folder
    _mount(None, "/", None, PRIVATE)
    _mount("proc", "/proc", "proc", 0)
    for path in hidden:
        _mount("tmpfs", path, "tmpfs", 0)
    os.makedirs(folder, exist_ok=True)
    _mount(f"/proc/self/fd/{own}", folder, None, BIND)
    os.close(own)
    _set_read_only("/", RECURSIVE, True)
    for path in (folder, "/proc"):  # the second for the maps of user ids
        _set_read_only(path, 0, False)
    os.chdir(folder)
    inner = ["unshare", "--user", "--map-root-user", "--mount", *command]
    os.execvp(inner[0], inner)


def _mount(source, target, kind, flags):
    words = [word and os.fsencode(word) for word in (source, target, kind)]
    system = ctypes.CDLL(None, use_errno=True)
    if system.mount(*words, ctypes.c_ulong(flags), None):
        raise OSError(ctypes.get_errno(), f"cannot mount {target}")


def _set_read_only(path, flags, wanted):
    values = (READ_ONLY, 0) if wanted else (0, READ_ONLY)
    attributes = (ctypes.c_uint64 * 4)(*values, 0, 0)
    system = ctypes.CDLL(None, use_errno=True)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    here = ctypes.c_int(-100)  # AT_FDCWD
    code = system.syscall(
        MOUNT_SETATTR, here, os.fsencode(path), flags, attributes, size
    )
    if code:
        raise OSError(ctypes.get_errno(), f"cannot make {path} read-only")


if __name__ == "__main__":
    place, count, *rest = sys.argv[1:]
    close_and_run(place, rest[: int(count)], rest[int(count) :])
