"""Which modules `import playout` loads, and which it loads only when needed."""

from __future__ import annotations

import pytest

import playout as po
from support.helpers import run_python


@pytest.mark.parametrize(
    "module",
    ["click", "rich", "matplotlib", "multiprocessing", "starlette", "uvicorn", "playout.reference"],
)
def test_the_library_does_not_import(module: str) -> None:
    ran = run_python(f"import sys, playout; print({module!r} in sys.modules)")
    assert (ran.stdout, ran.stderr) == ("False\n", "")


def test_the_reference_is_there_without_a_second_import() -> None:
    ran = run_python("import playout as po; print(po.reference.Breakthrough(4).fen)")
    assert (ran.stdout, ran.stderr) == ("bbbb/bbbb/wwww/wwww w\n", "")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'playout' has no attribute 'referense'"):
        po.referense  # noqa: B018
