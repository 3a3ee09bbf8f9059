#!/usr/bin/env python3
"""Writes ../vectors/keys.json: known answers for everything that formats.md describes.

Shares no code with Coffer and none with libsodium: Argon2id comes from argon2-cffi (the reference C
code), HKDF, HMAC, ChaCha20 and Poly1305 from OpenSSL through `cryptography`, BLAKE2b from Python.
HChaCha20, which none of them offers, is written out below. Every run writes the same bytes.

    pip install -r requirements.txt && python3 keys.py
"""
import base64
import hashlib
import hmac
import json
import pathlib
import struct

from argon2.low_level import Type, hash_secret_raw
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KINDS = {1: "passphrase", 2: "recovery", 3: "keyfile", 4: "secret-service"}
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def fixed(name, length=32):
    """Stands in for randomness, so that every run gives the same file."""
    return hashlib.sha512(f"known answer|{name}".encode()).digest()[:length]


def hkdf(salt, key, info, length=32):
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)


def blake2b(data):
    return hashlib.blake2b(data, digest_size=32)


def hchacha20(key, nonce):
    """draft-irtf-cfrg-xchacha-03, section 2.2."""
    state = [
        *struct.unpack("<4I", b"expand 32-byte k"),
        *struct.unpack("<8I", key),
        *struct.unpack("<4I", nonce),
    ]

    def mix(target, other, turned, by):
        state[target] = (state[target] + state[other]) & 0xFFFFFFFF
        value = state[turned] ^ state[target]
        state[turned] = ((value << by) | (value >> (32 - by))) & 0xFFFFFFFF

    columns = [(i, i + 4, i + 8, i + 12) for i in range(4)]
    diagonals = [(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)]
    for _ in range(10):
        for a, b, c, d in columns + diagonals:
            mix(a, b, d, 16)
            mix(c, d, b, 12)
            mix(a, b, d, 8)
            mix(c, d, b, 7)
    return struct.pack("<8I", *state[:4], *state[12:])


def xchacha20_poly1305(key, nonce, data, plaintext):
    inner = ChaCha20Poly1305(hchacha20(key, nonce[:16]))
    return inner.encrypt(bytes(4) + nonce[16:], plaintext, data)


def slot(store, master, kind, kek, created, parameters, label):
    """One line of the keyring, and what stands between the secret and that line."""
    slot_id = fixed(f"slot id {kind}", 8)
    nonce = fixed(f"slot nonce {kind}", 24)
    keys = hkdf(store, kek, b"Coffer v1 Slot Key", 64)
    wrap_key, commitment = keys[:32], keys[32:]
    data = (
        b"Coffer v1 Slot\0" + bytes([kind]) + slot_id + store
        + struct.pack(">H", len(parameters)) + parameters
    )
    box = xchacha20_poly1305(wrap_key, nonce, data, master)
    line = " ".join([
        "slot", slot_id.hex(), KINDS[kind], str(created), parameters.hex() or "-",
        commitment.hex(), nonce.hex(), box.hex(),
        base64.b64encode(label.encode()).decode() or "-",
    ])
    return line, {
        "kek": kek.hex(), "wrap_key": wrap_key.hex(), "commitment": commitment.hex(),
        "ad": data.hex(), "box": box.hex(),
    }


def recovery_code(code):
    """Nine groups of four letters: 160 bits of code, then 20 of checksum."""
    digest = blake2b(b"Coffer v1 Recovery Checksum" + code).digest()
    bits = int.from_bytes(code, "big") << 20 | int.from_bytes(digest[:3], "big") >> 4
    letters = "".join(CROCKFORD[bits >> 5 * i & 31] for i in reversed(range(36)))
    return "-".join(letters[i:i + 4] for i in range(0, 36, 4))


def main():
    store, master, epoch, revision = fixed("store", 16), fixed("master"), 3, 7
    salt, passes, memory = fixed("salt", 16), 3, 64 << 20
    passphrase = "correct horse Zürich-é"
    code, key_file, service = fixed("recovery", 20), fixed("key file"), fixed("service")

    passphrase_kek = hash_secret_raw(
        passphrase.encode(), salt, passes, memory >> 10, 1, 32, Type.ID)
    parameters = struct.pack(">IQ", passes, memory) + salt
    recovery_kek = hkdf(store, code, b"Coffer v1 Recovery Key")
    key_file_kek = hkdf(store, key_file, b"Coffer v1 Key File")
    service_kek = hkdf(store, service, b"Coffer v1 Secret Service")
    slots = {
        1: slot(store, master, 1, passphrase_kek, 1764500000, parameters, "laptop"),
        2: slot(store, master, 2, recovery_kek, 1764500001, b"", ""),
        3: slot(store, master, 3, key_file_kek, 1764500002, b"", "usb stick"),
        4: slot(store, master, 4, service_kek, 1764500003, b"", ""),
    }

    lines = [
        "coffer-keyring 1", f"store {store.hex()}", f"revision {revision}", f"epoch {epoch}",
        *(line for line, _ in slots.values()),
    ]
    text = "".join(line + "\n" for line in lines)
    text += "digest " + blake2b(text.encode()).hexdigest() + "\n"
    mac_key = hkdf(store, master, b"Coffer v1 Keyring MAC")
    text += "mac " + hmac.new(mac_key, text.encode(), "sha256").hexdigest() + "\n"

    answers = {
        "store_id": store.hex(),
        "master_key": master.hex(),
        "epoch": epoch,
        "revision": revision,
        "passphrase": passphrase,
        "recovery_bytes": code.hex(),
        "recovery_code": recovery_code(code),
        "key_file": key_file.hex(),
        "service_secret": service.hex(),
        "mac_key": mac_key.hex(),
        "keyring": text,
        "slots": {KINDS[kind]: answer for kind, (_, answer) in slots.items()},
        "database_key": {
            str(number): hkdf(
                store, master, b"Coffer v1 Database Key" + struct.pack(">Q", number)).hex()
            for number in (1, 3, 2**40)
        },
    }
    target = pathlib.Path(__file__).parent.parent / "vectors" / "keys.json"
    target.write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(answers["recovery_code"], hashlib.sha256(target.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
