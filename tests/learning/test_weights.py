"""Files of weights: what is written is read, and what is damaged is refused."""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from pathlib import Path

import numpy as np
import pytest

import playout as po
from mcts_core.evaluation.net import Net
from playout.learning import weights
from playout.learning.shipped import shipped

SHIPPED = Path(po.__file__).parent / "learning" / "shipped"
FILES = sorted(SHIPPED.glob("*.net"))


def sealed(body: bytes) -> bytes:
    """A file with a right checksum."""
    return body + hashlib.sha256(body).digest()


def built(facts: object, payload: bytes) -> bytes:
    return sealed(b"playout net 1\n" + json.dumps(facts).encode() + b"\n" + zlib.compress(payload))


def test_round_trip(tmp_path: Path) -> None:
    arrays = {"a": np.arange(6, dtype=np.int16).reshape(2, 3), "b": np.array([-7], np.int32)}
    weights.write(tmp_path / "x.net", "net", {"game": "go"}, arrays)
    facts, found = weights.read(tmp_path / "x.net", "net")
    assert facts == {"game": "go"}
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert (found[name] == array).all()
        assert found[name].dtype == array.dtype
    assert [path.name for path in tmp_path.iterdir()] == ["x.net"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_any_damage_is_refused(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    choice = random.Random(1)
    damaged = tmp_path / "x.net"
    for _ in range(200):
        place = choice.randrange(len(data))
        damaged.write_bytes(
            data[:place] + bytes([data[place] ^ 1 << choice.randrange(8)]) + data[place + 1 :]
        )
        with pytest.raises(po.BadMethod):
            po.Net(damaged)
    for length in (0, 5, 40, len(data) // 2, len(data) - 1):
        damaged.write_bytes(data[:length])
        with pytest.raises(po.BadMethod):
            po.Net(damaged)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "does not begin with 'playout net 1'"),
        (b"playout net 2\n{}\n", "does not begin with"),
        (b"playout net 1\n{}\n" + bytes(32), "checksum"),
        (sealed(b"playout net 1\n[]\n"), "does not list arrays"),
        (sealed(b"playout net 1\nnot JSON\n"), "Expecting value"),
        (sealed(b"playout net 1\n" + 100_000 * b"[" + b"\n"), "recursion"),
        (sealed(b"playout net 1\n\xff\n"), "decode"),
        (built({"arrays": [["a", "<i2", [3]]]}, b"12"), "do not take 6 bytes"),
        (built({"arrays": [["a", "<i2", [3]]]}, bytes(1000)), "do not take 6 bytes"),
        (built({"arrays": [["a", "<f8", [3]]]}, bytes(24)), "type or shape"),
        (built({"arrays": [["a", "<i2", [-3]]]}, b""), "whole numbers above 0"),
        (built({"arrays": [["a", "<i2", [True]]]}, b"12"), "whole numbers above 0"),
        (built({"arrays": [["a", "<i2", [1 << 28, 1 << 28]]]}, b""), "is the most"),
        (built({"arrays": ["a"]}, b""), "without name, type and shape"),
        (sealed(b'playout net 1\n{"arrays": [["a", "<i2", [1]]]}\nnot zlib'), "unpacked"),
    ],
)
def test_forged_files_are_refused(data: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "x.net"
    path.write_bytes(data)
    with pytest.raises(po.BadMethod, match=says):
        weights.read(path, "net")


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"game": "chess"}, "not known"),
        ({"size": [5]}, "not known"),
        ({"size": [4, 4]}, "another board"),
        ({"most_men": "many"}, "number of men"),
        ({"most_men": 65}, "1 to 64 men"),
        ({"most_men": 1}, "fewer men"),
        ({"most_men": True}, "number of men"),
        ({"game": []}, "not known"),
        ({"size": [None, 8]}, "not known"),
        ({"size": [9, 9]}, "fewer men|another board"),
    ],
)
def test_weights_that_fit_no_network_are_refused(
    facts: dict[str, object], says: str, tmp_path: Path
) -> None:
    good, arrays = weights.read(FILES[-1], "net")
    weights.write(tmp_path / "x.net", "net", {**good, **facts}, arrays)
    with pytest.raises(po.BadMethod, match=says):
        po.Net(tmp_path / "x.net")


def test_numbers_that_could_overflow_are_refused(tmp_path: Path) -> None:
    facts, arrays = weights.read(FILES[-1], "net")
    for name, value in (("inputs", 32767), ("biases", -32768), ("weights", 128)):
        forged = {key: array.copy() for key, array in arrays.items()}
        forged[name].flat[0] = value
        weights.write(tmp_path / "x.net", "net", facts, forged)
        with pytest.raises(po.BadMethod, match=r"a weight of|bias"):
            po.Net(tmp_path / "x.net")


def test_arrays_of_other_shapes_never_reach_c() -> None:
    shapes = {"inputs": (128, 32), "biases": (32,), "weights": (4, 32), "head_biases": (4,)}
    for name in shapes:
        for wrong in ((32, 1000), (4, 1000), (128, 32, 9), ()):
            arrays = [
                np.zeros(wrong if key == name else shape, np.int16) for key, shape in shapes.items()
            ]
            with pytest.raises((po.BadMethod, TypeError)):
                Net(po.Breakthrough(5), *arrays, 20)


def test_no_sum_overflows() -> None:
    """The largest sum that a network can have is clipped, and does not change its sign."""
    position = po.Breakthrough()
    net = Net(
        position,
        np.zeros((128, 256), np.int16),
        np.full(256, 255, np.int16),
        np.full((1, 256), 127, np.int16),
        np.array([1 << 29], np.int32),
        32,
    )
    assert net.score(position) == 25_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_shipped_networks(path: Path) -> None:
    """Each says how it was learned, takes a few kilobytes, and is found by its board."""
    net = po.Net(path)
    assert path.stat().st_size < 10_000
    assert net.facts["command"].startswith(f"playout learn {net.facts['game']} --size ")
    game = po.Breakthrough if net.facts["game"] == "breakthrough" else po.ConnectFour
    found = shipped(game(*net.size))
    assert found is not None
    assert found.facts == net.facts
    twin = po.reference.net.net(str(path))
    position = game(*net.size)
    for move in po.playout(position, seed=1).moves[:-1]:
        position.push(move)
        assert po.evaluate(position) == twin.score(po.reference.position(position))
