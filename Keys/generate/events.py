#!/usr/bin/env python3
"""Writes ../vectors/events.json: known answers for the payloads and items that formats.md describes.

Shares no code with Coffer: the payloads come from the Python package cbor2, the items from Python's
json. Every run writes the same bytes.

    pip install -r requirements.txt && python3 events.py
"""
import hashlib
import json
import pathlib
import uuid

import cbor2

TIME = 1764500000123
CONVERSATION = "hiking"


def fixed(name):
    return hashlib.sha512(f"known answer|{name}".encode()).digest()[:16]


def reference(sender, name):
    """A message in a payload, and in an item."""
    return [sender, fixed(name)]


def as_json(value):
    match value:
        case bytes():
            return str(uuid.UUID(bytes=value))
        case list():
            return [as_json(element) for element in value]
        case dict():
            return {key: as_json(inner) for key, inner in value.items()}
    return value


def payload(name, kind, body, **changes):
    value = {
        "conversation": CONVERSATION, "id": fixed(name), "kind": kind, "sent_at": TIME,
        "body": body,
    } | changes
    return {key: inner for key, inner in value.items() if inner is not ...}


def envelope(name, kind, seq, conversation):
    item = {"inbox": seq + 100, "conversation": conversation, "seq": seq}
    if kind == "receipt":
        del item["seq"]
    return item | {
        "sender": "ann", "device": 2, "id": str(uuid.UUID(bytes=fixed(name))), "sent_at": TIME,
    }


def accepted(name, kind, body, seq=7, conversation=CONVERSATION):
    value = payload(name, kind, body, conversation=conversation)
    item = envelope(name, kind, seq, conversation) | {kind: as_json(body)}
    return {"name": name, "item": item, "payload": cbor2.dumps(value, canonical=True).hex()}


def refused(reason, name, kind="message", body=None, **changes):
    body = {"text": "x"} if body is None else body
    value = payload(name, kind, body, **changes)
    return {
        "reason": reason, "name": name, "payload": cbor2.dumps(value, canonical=True).hex(),
        "item": envelope(name, kind, 7, CONVERSATION),
    }


def main():
    ben, ann = reference("ben", "a message of ben"), reference("ann", "a message of ann")
    answers = [
        accepted("a message", "message", {"text": "Back before dark?"}),
        accepted("an empty message", "message", {"text": ""}),
        accepted("a message with NUL, marks and emoji", "message",
                 {"text": "\0e\u0301 \u00e9\r\n\t\"\\ \U0001f468\u200d\U0001f469"}),
        accepted("a reply", "message", {"text": "yes!!", "reply": ben}),
        accepted("a conversation that is not ASCII", "message", {"text": "é"},
                 conversation="Füße/e\u0301"),
        accepted("an edit", "edit", {"of": ann, "text": "Back before dawn?"}),
        accepted("a delete", "delete", {"of": ann}),
        accepted("a reaction", "reaction",
                 {"to": ben, "emoji": "\U0001f3d4\ufe0f", "added": True}),
        accepted("a reaction taken back", "reaction", {"to": ben, "emoji": "+1", "added": False}),
        accepted("a receipt", "receipt", {"delivered": 250, "read": 23}),
        accepted("a receipt of nothing", "receipt", {"delivered": 0, "read": 0}),
        accepted("a creation", "change",
                 {"create": {"title": "Wanderung", "members": ["ben", "dora", "z\u00fc"]}}),
        accepted("a creation without a title", "change", {"create": {"members": []}}),
        accepted("a join", "change", {"join": "eve"}),
        accepted("a leave", "change", {"leave": True}),
        accepted("a removal", "change", {"remove": "eve"}),
        accepted("a title", "change", {"title": ""}),
        accepted("the end of a conversation", "change", {"delete": True}),
        accepted("a high seq", "message", {"text": "x"}, seq=70000),
    ]
    refusals = [
        refused("unknownKind", "a kind to come", "poll", {"options": ["a", "b"]}),
        refused("unknownKind", "a kind in capitals", "Message"),
        refused("unknownField", "a field to come", body={"text": "x", "style": "bold"}),
        refused("unknownField", "a field beside the body", expires=5),
        refused("unknownField", "a change to come", "change", {"mute": True}),
        refused("unknownField", "a creation with more", "change",
                {"create": {"members": [], "color": 1}}),
        refused("missingField", "no body", body=...),
        refused("missingField", "no text", body={}),
        refused("missingField", "no conversation", conversation=...),
        refused("missingField", "no id", id=...),
        refused("missingField", "no kind", kind=...),
        refused("missingField", "no time", sent_at=...),
        refused("missingField", "no read", "receipt", {"delivered": 1}),
        refused("missingField", "no change", "change", {}),
        refused("missingField", "no members", "change", {"create": {}}),
        refused("wrongKind", "a text in bytes", body={"text": b"x"}),
        refused("wrongKind", "no reply", body={"text": "x", "reply": None}),
        refused("wrongKind", "a reference without an id", "delete", {"of": ["ann"]}),
        refused("wrongKind", "a reference with an id in text", "delete", {"of": ["ann", "x"]}),
        refused("wrongKind", "a reference with more", "delete", {"of": [*ann, 1]}),
        refused("wrongKind", "a body in text", body="x"),
        refused("wrongKind", "a kind in numbers", 1),
        refused("wrongKind", "an addition in numbers", "reaction",
                {"to": ben, "emoji": "+1", "added": 1}),
        refused("wrongKind", "a leave that is none", "change", {"leave": False}),
        refused("wrongKind", "members that are no texts", "change", {"create": {"members": [1]}}),
        refused("badID", "an id of 15 bytes", id=bytes(15)),
        refused("badID", "an id of 17 bytes in a reference", "delete", {"of": ["ann", bytes(17)]}),
        refused("badConversation", "no address", conversation=""),
        refused("badConversation", "two lines", conversation="a\nb"),
        refused("badConversation", "a long address", conversation="a" * 513),
        refused("badAccount", "a reference to nobody", "delete", {"of": ["", ann[1]]}),
        refused("badAccount", "a long member", "change", {"create": {"members": ["a" * 513]}}),
        refused("badAccount", "nobody joins", "change", {"join": ""}),
        refused("badAccount", "nobody is removed", "change", {"remove": "\x7f"}),
        refused("timeOutOfRange", "a time before 1970", sent_at=-1),
        refused("seqOutOfRange", "a receipt below nothing", "receipt",
                {"delivered": -1, "read": 0}),
        refused("seqOutOfRange", "a reading below nothing", "receipt",
                {"delivered": 0, "read": -1}),
        refused("badEmoji", "no emoji", "reaction", {"to": ben, "emoji": "", "added": True}),
        refused("badEmoji", "65 bytes", "reaction", {"to": ben, "emoji": "x" * 65, "added": True}),
        refused("severalKinds", "two changes", "change", {"join": "eve", "title": "x"}),
        refused("badPayload", "a time beyond 64 bits", sent_at=2**63),
        refused("badPayload", "a time with a fraction", sent_at=1.5),
        refused("otherEnvelope", "another conversation", conversation="work"),
        refused("otherEnvelope", "another id", id=fixed("yet another")),
    ]
    nothing = refused("badPayload", "nothing")
    refusals.append(nothing | {"payload": ""})
    refusals.append(nothing | {"name": "half of one", "payload": answers[0]["payload"][:60]})
    refusals.append(nothing | {"name": "more than one", "payload": answers[0]["payload"] + "00"})
    refusals.append(nothing | {"reason": "wrongKind", "name": "no map", "payload": "80"})

    lists = {"accepted": answers, "refused": refusals}
    content = "{\n" + ",\n".join(
        f'"{name}": [\n' + ",\n".join(
            json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in lines) + "\n]"
        for name, lines in lists.items()) + "\n}\n"
    target = pathlib.Path(__file__).parent.parent / "vectors" / "events.json"
    target.write_text(content, encoding="utf-8")
    print(len(answers), len(refusals), hashlib.sha256(content.encode()).hexdigest())


if __name__ == "__main__":
    main()
