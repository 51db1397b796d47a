"""Renew requirements.lock and requirements-test.lock: `make lock`.

    python -m build_tools.upkeep.lock [--upgrade]

One version of each package for all platforms, with its hashes. Of PyTorch there are
several builds, so it is left out, with what only its CUDA build needs.
"""

import argparse
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UV = "uv==0.13.9"
NVIDIA = (
    "cublas cuda-cupti cuda-nvrtc cuda-runtime cudnn-cu13 cufft cufile curand cusolver "
    "cusparse cusparselt-cu13 nccl-cu13 nvjitlink nvshmem-cu13 nvtx"
)
NOT_LOCKED = [
    *"inside-bert-helpers torch triton cuda-bindings cuda-pathfinder".split(),
    "cuda-toolkit",
    *(f"nvidia-{name}" for name in NVIDIA.split()),
]
RESOLVE = (
    "pip compile --quiet --no-config --universal --python-version 3.11 "
    "--fork-strategy fewest --generate-hashes --annotation-style line "
    "--custom-compile-command"
)


def installed_uv():
    """Return the path of uv, in an environment of its own."""
    folder = ROOT / "_build/.uv"
    if not (folder / "bin/uv").is_file():
        venv.create(folder, with_pip=True)
        pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", UV]
        subprocess.run(pip, check=True)
    return folder / "bin/uv"


def lock(name, *options):
    """Write the lock of the requirements `name`."""
    left_out = [f"--no-emit-package={package}" for package in NOT_LOCKED]
    files = ["--output-file", f"{name}.lock", f"{name}.txt"]
    subprocess.run(
        [installed_uv(), *RESOLVE.split(), "make lock", *left_out, *options, *files],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m build_tools.upkeep.lock")
    parser.add_argument("--upgrade", action="store_true", help="the newest of all else")
    upgrade = ["--upgrade"] if parser.parse_args(arguments).upgrade else []
    try:
        lock("requirements", *upgrade)
        lock("requirements-test", *upgrade, "--constraints", "requirements.lock")
    except subprocess.CalledProcessError:  # which has said why
        sys.exit("error: the locks were not renewed")


if __name__ == "__main__":
    main()
