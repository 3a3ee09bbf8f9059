#!/usr/bin/env python3
"""Writes ../vectors/cbor.json: known answers for the CBOR that formats.md describes.

Shares no code with Coffer: every encoding comes from the Python package cbor2, and so does the proof
that what Coffer must refuse is refused for its rules and not for being no CBOR at all. Every run
writes the same bytes.

    pip install -r requirements.txt && python3 cbor.py
"""
import hashlib
import io
import json
import pathlib
import random

import cbor2


def described(value):
    """A value as JSON that says its kind; integers as text, since JSON readers round them."""
    match value:
        case None:
            return {"null": True}
        case bool():
            return {"bool": value}
        case int():
            return {"integer": str(value)}
        case bytes():
            return {"bytes": value.hex()}
        case str():
            return {"text": value}
        case list():
            return {"array": [described(element) for element in value]}
        case dict():
            return {"map": [[key, described(inner)] for key, inner in value.items()]}
    raise TypeError(type(value))


def accepted(name, value):
    encoded = cbor2.dumps(value, canonical=True)
    assert cbor2.loads(encoded) == value
    return {"name": name, "value": described(value), "hex": encoded.hex()}


def refused(why, data, is_cbor=True):
    """`is_cbor` says whether cbor2, which is not strict, reads it as exactly one value."""
    source = io.BytesIO(data)
    try:
        cbor2.CBORDecoder(source).decode()
        reads = source.read() == b""
    except (cbor2.CBORDecodeError, ValueError):
        reads = False
    assert reads == is_cbor, (why, data.hex())
    return {"why": why, "hex": data.hex()}


def nested(depth, innermost):
    for _ in range(depth):
        innermost = [innermost]
    return innermost


def random_value(source, depth):
    kind = source.randrange(8 if depth else 6)
    if kind == 0:
        return None
    if kind == 1:
        return source.random() < 0.5
    if kind == 2:
        return source.randrange(-(2**63), 2**63) >> source.randrange(64)
    if kind == 3:
        return source.randbytes(source.choice([0, 1, 23, 24, 40, 300]))
    if kind in (4, 5):
        return random_text(source)
    if kind == 6:
        return [random_value(source, depth - 1) for _ in range(source.randrange(5))]
    return {
        random_text(source): random_value(source, depth - 1)
        for _ in range(source.randrange(6))
    }


def random_text(source):
    letters = "aZ0 \0\n\"\\é\u0301ßあ‮\ufeff\U0001f3d4\U0010ffff"
    return "".join(source.choice(letters) for _ in range(source.choice([0, 1, 2, 3, 8, 26])))


def main():
    edges = [
        0, 1, 10, 23, 24, 25, 100, 255, 256, 1000, 65535, 65536, 1000000, 2**32 - 1, 2**32,
        1000000000000, 2**53, 2**63 - 1,
    ]
    answers = [accepted(f"integer {number}", number) for number in edges]
    answers += [accepted(f"integer {-1 - number}", -1 - number) for number in edges]
    for length in (0, 1, 4, 23, 24, 255, 256):
        answers.append(accepted(f"{length} bytes", bytes(i & 255 for i in range(length))))
        answers.append(accepted(f"text of {length} bytes", "x" * length))
    answers += [
        accepted("false", False), accepted("true", True), accepted("null", None),
        accepted("text that is not ASCII", "ü 水 \U00010151"),
        accepted("text with NUL", "\0a\0"),
        accepted("one code point", "\u00e9"),
        accepted("the same in two", "e\u0301"),
        accepted("keys that look the same", {"\u00e9": 1, "e\u0301": 2}),
        accepted("the shorter key first", {"aa": 1, "b": 2, "": 3, "z" * 24: 4, "y" * 23: 5}),
        accepted("keys by their bytes", {"\U0001f3d4": 1, "\uff5e!": 2, "zzzz": 3, "Zzzz": 4}),
        accepted("members in the order of their names", {"a": 1, "b": 2, "c": [], "d": {}}),
        accepted("an array of 24", list(range(24))),
        accepted("a map of 24", {f"{number:02}": number for number in reversed(range(24))}),
        accepted("10 deep", nested(10, 0)),
    ]
    source = random.Random(8949)
    for number in range(64):
        answers.append(accepted(f"random {number}", random_value(source, 4)))

    encode = cbor2.dumps
    text = encode("a")
    refusals = [
        refused("notShortest", b"\x18\x17"),
        refused("notShortest", b"\x19\x00\xff"),
        refused("notShortest", b"\x1a\x00\x00\xff\xff"),
        refused("notShortest", b"\x1b\x00\x00\x00\x00\xff\xff\xff\xff"),
        refused("notShortest", b"\x38\x00"),
        refused("notShortest", b"\x58\x01a"),
        refused("notShortest", b"\x78\x01a"),
        refused("notShortest", b"\x98\x01\x00"),
        refused("notShortest", b"\xb8\x01" + text + b"\x00"),
        refused("notShortest", b"\xa1\x78\x01a\x00"),
        refused("indefiniteLength", b"\x5f\x41a\xff"),
        refused("indefiniteLength", b"\x7f" + text + b"\xff"),
        refused("indefiniteLength", b"\x9f\x01\xff"),
        refused("indefiniteLength", b"\xbf" + text + b"\x01\xff"),
        refused("unsortedKeys", encode({"b": 1, "a": 2})),
        refused("unsortedKeys", encode({"aa": 1, "b": 2})),
        refused("duplicateKey", b"\xa2" + text + b"\x01" + text + b"\x02"),
        refused("keyNotText", encode({1: 2})),
        refused("keyNotText", encode({b"a": 2})),
        refused("keyNotText", encode({None: 2})),
        refused("tag", encode(cbor2.CBORTag(1000, 0))),
        refused("tag", encode(2**64)),
        refused("outOfRange", encode(2**63)),
        refused("outOfRange", encode(2**64 - 1)),
        refused("outOfRange", encode(-(2**63) - 1)),
        refused("outOfRange", encode(-(2**64))),
        refused("floatingPoint", encode(1.5, canonical=True)),
        refused("floatingPoint", encode(100000.0, canonical=True)),
        refused("floatingPoint", encode(1.1)),
        refused("floatingPoint", encode(float("nan"), canonical=True)),
        refused("undefined", encode(cbor2.undefined)),
        refused("simpleValue", encode(cbor2.CBORSimpleValue(16))),
        refused("simpleValue", encode(cbor2.CBORSimpleValue(255))),
        refused("illFormedText", b"\x62\xc3\x28", False),
        refused("illFormedText", b"\x63\xed\xa0\x80", False),
        refused("illFormedText", b"\xa1\x62\xc0\x80\x00", False),
        refused("tooDeep", encode(nested(17, 0))),
        refused("trailingBytes", encode(0) + encode(0), False),
        refused("unexpectedEnd", b"", False),
        refused("unexpectedEnd", b"\x5b\x7f\xff\xff\xff\xff\xff\xff\xff", False),
        refused("unexpectedEnd", b"\x9a\x00\x10\x00\x00", False),
        refused("reservedHead", b"\x1c", False),
        refused("reservedHead", b"\xfd", False),
    ]

    target = pathlib.Path(__file__).parent.parent / "vectors" / "cbor.json"
    lists = {"accepted": answers, "refused": refusals}
    content = "{\n" + ",\n".join(
        f'"{name}": [\n' + ",\n".join(json.dumps(line) for line in lines) + "\n]"
        for name, lines in lists.items()) + "\n}\n"
    target.write_text(content, encoding="utf-8")
    print(len(answers), len(refusals), hashlib.sha256(content.encode()).hexdigest())


if __name__ == "__main__":
    main()
