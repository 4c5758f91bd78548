"""What holds for every source file of the library."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
LARGEST = 20_000  # bytes of a file: more is more than one concept


def test_every_module_is_small() -> None:
    sources = {
        path.relative_to(ROOT).as_posix(): path.stat().st_size
        for folder in ("mcts_core", "python")
        for kind in ("py", "pyx", "pxd", "pxi", "pyi", "h")
        for path in (ROOT / folder).rglob(f"*.{kind}")
    }
    assert len(sources) > 200
    assert {name: size for name, size in sources.items() if size > LARGEST} == {}
