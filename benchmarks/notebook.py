"""Runs the notebook of examples/ and keeps its outputs in it.

    python benchmarks/notebook.py            # run it, and write it with fresh outputs
    python benchmarks/notebook.py --check    # run it, and fail if an output is not up to date

Seeds are fixed, so all outputs but times, memory and the pixels of plots are the same on every
machine. These are left out of the comparison, and so are texts beside a picture.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).resolve().parents[1] / "examples" / "from_flat_to_grave.ipynb"
# Runs in another process, so that warnings of Jupyter do not reach the tests.
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], 4)
NotebookClient(notebook, timeout=100, kernel_name="python3", record_timing=False).execute()
nbformat.write(notebook, sys.argv[2])
"""
MEASURED = r"[\d.,]+ (?:s|ms|us|MiB)\b|[\d,.]+/s"

Cell = dict[str, Any]


def executed() -> str:
    """The notebook after a run from top to bottom, as JSON. A failing cell raises."""
    with tempfile.TemporaryDirectory() as folder:
        done = Path(folder) / "done.ipynb"
        subprocess.run([sys.executable, "-c", EXECUTE, NOTEBOOK, done], check=True, timeout=300)
        notebook = json.loads(done.read_text(encoding="utf-8"))
    notebook["metadata"]["language_info"] = {"name": "python"}  # without versions
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def cells(text: str) -> list[Cell]:
    """The cells of a notebook."""
    return list(json.loads(text)["cells"])


def repeatable(cell: Cell) -> Iterator[str]:
    """What a cell shows, without what differs from run to run or is not shown."""
    for output in cell.get("outputs", ()):
        shown = output.get("data", {"text": output.get("text", "")})
        for kind, content in shown.items():
            if kind == "image/png":
                yield kind
            elif len(shown) == 1 or kind != "text/plain":
                yield re.sub(MEASURED, "...", "".join(content))


def stale(kept: list[Cell], fresh: list[Cell]) -> list[str]:
    """The names of cells whose kept outputs are not those of a run."""
    return [
        str(old["id"])
        for old, new in zip(kept, fresh, strict=True)
        if list(repeatable(old)) != list(repeatable(new))
    ]


def main() -> None:
    """Run the notebook, and write or compare it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    check, fresh = parser.parse_args().check, executed()
    old = stale(cells(NOTEBOOK.read_text(encoding="utf-8")), cells(fresh))
    if not check:
        NOTEBOOK.write_text(fresh, encoding="utf-8")
    elif old:
        sys.exit(f"outputs are not up to date: {', '.join(old)}; run benchmarks/notebook.py")
    print(f"{NOTEBOOK.name}: {len(old)} outputs {'differ' if check else 'are new'}")


if __name__ == "__main__":
    main()
