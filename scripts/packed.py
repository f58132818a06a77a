"""Where the benchmark scripts find fxc: built here, or packed by `scripts/gpu pack` elsewhere."""

import lzma
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILT = ROOT / "target/release/fxc"
PACKED = ROOT / ".device/fxc.xz"


def binary(folder):
    """The program; unpacked into `folder` if it is packed."""
    if BUILT.exists():
        return BUILT
    if not PACKED.exists():
        sys.exit("there is no target/release/fxc and no .device/fxc.xz: build, or run scripts/gpu pack first")
    path = folder / "fxc"
    with lzma.open(PACKED) as source, open(path, "wb") as copy:
        shutil.copyfileobj(source, copy)
    path.chmod(0o755)
    return path
