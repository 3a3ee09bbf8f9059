#!/usr/bin/env python3
"""Opens a store without Coffer: unwraps the master key from the keyring, derives the database key, and
hands it to the `sqlcipher` shell together with the SQL given.

The secret comes from a file: a passphrase, a recovery code or a key file. Copy the store first; the
shell writes to what it opens.

    pip install -r requirements.txt && apt-get install sqlcipher
    python3 read_store.py STORE passphrase|recovery|keyfile SECRET-FILE "SELECT count(*) FROM messages"
"""
import hashlib
import hmac
import pathlib
import struct
import subprocess
import sys
import unicodedata

from argon2.low_level import Type, hash_secret_raw
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from keys import CROCKFORD, KINDS, blake2b, hchacha20, hkdf


def read_keyring(text):
    """The fields of a keyring whose digest is right, and the text that its last line authenticates."""
    lines = text.decode("ascii").split("\n")
    if lines[0] != "coffer-keyring 1" or lines[-1] != "":
        sys.exit("this is no keyring")
    digest_at = text.index(b"\ndigest ") + 1
    mac_at = text.index(b"\nmac ") + 1
    fields = {line.split(" ")[0]: line.split(" ")[1:] for line in lines[1:-1]}
    if blake2b(text[:digest_at]).hexdigest() != fields["digest"][0]:
        sys.exit("the keyring is damaged")
    slots = [line.split(" ")[1:] for line in lines if line.startswith("slot ")]
    return bytes.fromhex(fields["store"][0]), int(fields["epoch"][0]), slots, text[:mac_at], fields["mac"][0]


def recovery_bytes(typed):
    letters = typed.upper().replace("O", "0").replace("I", "1").replace("L", "1")
    number = 0
    for letter in letters:
        if letter not in "- \n\t":
            number = number << 5 | CROCKFORD.index(letter)
    code = (number >> 20).to_bytes(20, "big")
    check = int.from_bytes(blake2b(b"Coffer v1 Recovery Checksum" + code).digest()[:3], "big") >> 4
    if check != number & 0xFFFFF:
        sys.exit("the recovery code is mistyped")
    return code


def slot_secret(kind, secret, store, parameters):
    if kind == "passphrase":
        passes, memory = struct.unpack(">IQ", parameters[:12])
        text = secret.decode().removesuffix("\n").removesuffix("\r")
        normal = unicodedata.normalize("NFC", text).encode()
        return hash_secret_raw(normal, parameters[12:], passes, memory >> 10, 1, 32, Type.ID)
    if kind == "recovery":
        return hkdf(store, recovery_bytes(secret.decode()), b"Coffer v1 Recovery Key")
    raw = secret if len(secret) == 32 else bytes.fromhex(secret.decode().strip())
    return hkdf(store, raw, b"Coffer v1 Key File")


def unwrap(store, kind, slot, secret):
    """The master key, or nothing where the secret is not this slot's."""
    slot_id, _, _, parameters, commitment, nonce, box, _ = slot
    parameters = b"" if parameters == "-" else bytes.fromhex(parameters)
    keys = hkdf(store, slot_secret(kind, secret, store, parameters), b"Coffer v1 Slot Key", 64)
    if not hmac.compare_digest(keys[32:].hex(), commitment):
        return None
    number = next(number for number, name in KINDS.items() if name == kind)
    data = (
        b"Coffer v1 Slot\0" + bytes([number]) + bytes.fromhex(slot_id) + store
        + struct.pack(">H", len(parameters)) + parameters
    )
    nonce = bytes.fromhex(nonce)
    inner = ChaCha20Poly1305(hchacha20(keys[:32], nonce[:16]))
    return inner.decrypt(bytes(4) + nonce[16:], bytes.fromhex(box), data)


def main(folder, kind, secret_file, sql):
    folder = pathlib.Path(folder)
    text = (folder / "keyring").read_bytes()
    store, epoch, slots, authenticated, mac = read_keyring(text)
    secret = pathlib.Path(secret_file).read_bytes()
    masters = [unwrap(store, kind, slot, secret) for slot in slots if slot[1] == kind]
    master = next((master for master in masters if master), None)
    if master is None:
        sys.exit(f"this secret fits no {kind} slot")
    mac_key = hkdf(store, master, b"Coffer v1 Keyring MAC")
    if not hmac.compare_digest(hmac.new(mac_key, authenticated, hashlib.sha256).hexdigest(), mac):
        sys.exit("the keyring was tampered with")
    key = hkdf(store, master, b"Coffer v1 Database Key" + struct.pack(">Q", epoch))
    # The key goes through standard input: arguments are for everyone to see.
    script = f"PRAGMA key = \"x'{key.hex()}'\";\n{sql};\n"
    shell = subprocess.run(
        ["sqlcipher", "-batch", str(folder / f"store-{epoch}.db")],
        input=script, text=True, capture_output=True, check=False)
    sys.stdout.write(shell.stdout)
    sys.stderr.write(shell.stderr)
    return shell.returncode


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
