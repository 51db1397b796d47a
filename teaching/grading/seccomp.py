"""System calls that a submission may not make, as a filter for bubblewrap.

They hold memory that no process shows (shared memory of System V, files in memory,
rings of requests), or reach keys that the kernel keeps for the user.
"""

import os
import platform
import struct

# machine -> (number of its kind of calls, numbers of the calls), from Linux's
# include/uapi/linux/audit.h and its tables of system calls
REFUSED = {
    # shmget, semget, msgget, add_key, request_key, keyctl, memfd_create,
    # io_uring_setup, memfd_secret
    "x86_64": (0xC000003E, (29, 64, 68, 248, 249, 250, 319, 425, 447)),
    "aarch64": (0xC00000B7, (194, 190, 186, 217, 218, 219, 279, 425, 447)),
}
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06  # of classic BPF
NUMBER, KIND = 0, 4  # where a call's number and kind stand
ALLOW, DENY = 0x7FFF0000, 0x00050001  # the second: "not permitted"
OTHER_NUMBERS = 0x40000000  # of x86's third kind of calls


def filter_file():
    """Return the number of an open file that holds the filter."""
    kind, calls = REFUSED[platform.machine()]
    tests = [(EQUAL, kind, 1, 0), (RETURN, DENY, 0, 0), (LOAD, NUMBER, 0, 0)]
    tests += [(AT_LEAST, OTHER_NUMBERS, len(calls) + 1, 0)]
    tests += [(EQUAL, call, len(calls) - i, 0) for i, call in enumerate(calls)]
    program = [(LOAD, KIND, 0, 0), *tests, (RETURN, ALLOW, 0, 0), (RETURN, DENY, 0, 0)]
    read, write = os.pipe()
    with open(write, "wb") as stream:
        for code, value, then, otherwise in program:
            stream.write(struct.pack("=HBBI", code, then, otherwise, value))
    return read
