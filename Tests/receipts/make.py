"""Makes Fixtures/receipts/signed anew: receipts in Apple's shapes with made-up values, under a throw-away authority.

    python3 Tests/receipts/make.py            (needs the openssl command and the package `cryptography`)

Keys are not kept, so each run gives other bytes; what is in them stays the same. Afterwards `RECORD=1 make test` writes
the expectations anew.
"""

import base64
import datetime
import hashlib
import os
import pathlib
import subprocess
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Fixtures" / "receipts" / "signed"
BUNDLE = "com.example.slipcast"
DEVICE = bytes.fromhex("5117CA5700004000800000000000D071")
RECEIPT_LEAF, RECEIPT_INTERMEDIATE = "1.2.840.113635.100.6.11.1", "1.2.840.113635.100.6.2.1"
PURCHASE_LEAF, PURCHASE_INTERMEDIATE = "1.2.840.113635.100.6.5.1", "1.2.840.113635.100.6.2.2"


# Certificates.

def key(bits=2048):
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


def certificate(name, subject_key, issuer=None, mark=None, authority=False, begin=2010, end=2040):
    issuer_certificate, issuer_key = issuer or (None, subject_key)
    subject = x509.Name([
        x509.NameAttribute(NameOID.COUNTRY_NAME, "XX"), x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Slipcast Tests"),
        x509.NameAttribute(NameOID.COMMON_NAME, name),
    ])
    builder = (
        x509.CertificateBuilder().subject_name(subject)
        .issuer_name(issuer_certificate.subject if issuer_certificate else subject)
        .public_key(subject_key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(datetime.datetime(begin, 1, 1)).not_valid_after(datetime.datetime(end, 1, 1))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(subject_key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
        .add_extension(
            x509.KeyUsage(not authority, False, False, False, False, authority, authority, False, False), critical=True)
    )
    if mark:
        builder = builder.add_extension(
            x509.UnrecognizedExtension(x509.ObjectIdentifier(mark), b"\x05\x00"), critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


class Authority:
    """A root with the two intermediates of Apple's and their signers."""

    def __init__(self, name="Slipcast Test Receipt"):
        self.root_key = key()
        self.root = certificate(f"{name} Root", self.root_key, authority=True)
        root = (self.root, self.root_key)
        self.intermediate_key = key()
        self.intermediate = certificate(
            f"{name} Intermediate", self.intermediate_key, root, RECEIPT_INTERMEDIATE, authority=True)
        self.leaf_key = key()
        self.leaf = certificate(
            f"{name} Signing", self.leaf_key, (self.intermediate, self.intermediate_key), RECEIPT_LEAF, begin=2016, end=2025)
        self.bare_key = key()
        self.bare = certificate(f"{name} Developer", self.bare_key, (self.intermediate, self.intermediate_key))
        self.store_key = key()
        self.store = certificate(
            f"{name} Store", self.store_key, root, PURCHASE_INTERMEDIATE, authority=True)
        self.old_key = key(1024)
        self.old = certificate(
            "PurchaseReceiptCertificate (test)", self.old_key, (self.store, self.store_key), PURCHASE_LEAF, end=2016)

    @property
    def chain(self):
        return [self.intermediate, self.root]


# ASN.1 (DER).

def tlv(tag, content):
    length = len(content)
    head = bytes([length]) if length < 128 else b""
    if not head:
        digits = length.to_bytes((length.bit_length() + 7) // 8, "big")
        head = bytes([0x80 | len(digits)]) + digits
    return bytes([tag]) + head + content


def integer(value):
    return tlv(2, value.to_bytes(max(1, (value.bit_length() + 8) // 8), "big"))


def utf8(text):
    return tlv(0x0C, text.encode())


def ia5(text):
    return tlv(0x16, text.encode())


def attribute(kind, value, version=1):
    return tlv(0x30, integer(kind) + integer(version) + tlv(4, value))


def attributes(values):
    return tlv(0x31, b"".join(
        attribute(kind, value, 2 if kind == 4 else 1) for kind, value in values))


def in_app(product, transaction, original, purchased, *, first=None, expires="", item=0, cancelled="", kind=3,
           trial=0, intro=None, offer=None, quantity=1, reason=None):
    values = [
        (1708, ia5(expires)), (1709, utf8("")), (1712, ia5(cancelled)), (1714, utf8("")), (1701, integer(quantity)),
        (1707, integer(kind)), (1713, integer(trial)), (1710, integer(2222000000 + kind)), (1711, integer(item)),
        (1703, utf8(transaction)), (1705, utf8(original)), (1704, ia5(purchased)), (1706, ia5(first or purchased)),
        (1702, utf8(product)),
    ]
    if intro is not None:
        values.append((1719, integer(intro)))
    if reason is not None:
        values.append((1720, integer(reason)))
    if offer:
        values.append((1721, utf8(offer)))
    return (17, attributes(values))


def app(kind, created, purchases, *, app_id=0, extra=(), leave_out=(), bundle=BUNDLE):
    opaque = hashlib.sha256(created.encode()).digest()[:16]
    device_hash = hashlib.sha1(DEVICE + opaque + utf8(bundle)).digest()
    values = [
        (8, ia5(created if app_id else "")), (20, utf8("")), (1, integer(app_id)), (11, integer(4242 if app_id else 0)),
        (14, integer(152)), (15, integer(510000000000017 if app_id else 0)), (16, integer(860000017 if app_id else 0)),
        (25, integer(3)), (10, ia5("4+")), (3, utf8("4.2.1")), (13, integer(170401)), (9, integer(0x50333035)),
        (19, utf8("1.0")), (0, utf8(kind)), (4, opaque), (5, device_hash), (2, utf8(bundle)),
        (12, ia5(created)), (18, ia5("2019-03-02T08:00:00Z")),
        (7, hashlib.sha512(b"7").digest()), (6, hashlib.sha512(b"6").digest()),
    ] + list(extra) + purchases
    return attributes([value for value in values if value[0] not in leave_out])


# CMS.

def signed(authority, content, *, digest="sha256", stream=False, leaf=None, leaf_key=None, chain=None, noattr=True):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "content").write_bytes(content)
        (path / "leaf.pem").write_bytes((leaf or authority.leaf).public_bytes(serialization.Encoding.PEM))
        (path / "key.pem").write_bytes((leaf_key or authority.leaf_key).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        (path / "chain.pem").write_bytes(b"".join(
            one.public_bytes(serialization.Encoding.PEM) for one in (authority.chain if chain is None else chain)))
        command = ["openssl", "cms", "-sign", "-nodetach", "-binary", "-md", digest, "-outform", "DER",
                   "-in", path / "content", "-signer", path / "leaf.pem", "-inkey", path / "key.pem", "-out", path / "out"]
        command += ["-noattr"] if noattr else []
        command += ["-stream"] if stream else []
        command += ["-certfile", path / "chain.pem"] if chain != [] else []
        subprocess.run(command, check=True)
        return (path / "out").read_bytes()


# Receipts in the style of iOS 6.

def property_list(values):
    return "{\n" + "".join(f'\t"{name}" = "{value}";\n' for name, value in values.items()) + "}"


def transaction_receipt(authority, version, values, environment=None, alter=None):
    info = property_list(values).encode()
    signer, signer_key = (authority.leaf, authority.leaf_key) if version == 3 else (authority.old, authority.old_key)
    signature = signer_key.sign(bytes([version]) + info, padding.PKCS1v15(), hashes.SHA1())
    der = signer.public_bytes(serialization.Encoding.DER)
    blob = bytes([version]) + signature + len(der).to_bytes(4, "big") + der
    outer = {
        "signature": base64.b64encode(blob).decode(),
        "purchase-info": base64.b64encode(alter(info) if alter else info).decode(),
    }
    if environment:
        outer["environment"] = environment
    outer["pod"] = "100" if environment else "17"
    outer["signing-status"] = "0"
    return base64.b64encode(property_list(outer).encode())


def purchase(milliseconds, text, pacific, production, expires=None):
    values = {
        "original-purchase-date-pst": pacific, "unique-identifier": "0" * 40,
        "original-transaction-id": "510000000000101", "bvrs": "42", "transaction-id": "510000000000102",
        "quantity": "1", "original-purchase-date-ms": str(milliseconds), "product-id": BUNDLE + ".monthly",
        "item-id": "2222000003", "bid": BUNDLE, "purchase-date-ms": str(milliseconds), "purchase-date": text,
        "purchase-date-pst": pacific, "original-purchase-date": text,
    }
    if production:
        values["app-item-id"] = "1234567891"
        values["version-external-identifier"] = "860000017"
    if expires:
        values["web-order-line-item-id"] = "510000000000903"
        values["expires-date"] = str(expires)
        values["is-trial-period"] = "false"
    return values


# The cases.

def subscription():
    monthly, pro = BUNDLE + ".monthly", BUNDLE + ".pro.monthly"
    return [
        in_app(monthly, "510000000000011", "510000000000011", "2022-03-01T09:00:00Z", expires="2022-03-08T09:00:00Z",
               item=510000000000901, trial=1, intro=0),
        in_app(monthly, "510000000000012", "510000000000011", "2022-03-08T09:00:00Z", first="2022-03-01T09:00:01Z",
               expires="2022-04-08T09:00:00Z", item=510000000000902, intro=1),
        in_app(pro, "510000000000013", "510000000000011", "2022-03-20T10:00:00Z", first="2022-03-01T09:00:01Z",
               expires="2022-04-20T10:00:00Z", item=9007199254740995, intro=0, offer="spring"),
        in_app(BUNDLE + ".coins", "510000000000020", "510000000000020", "2022-02-01T12:00:00Z", kind=1, quantity=3),
        in_app(BUNDLE + ".forever", "510000000000021", "510000000000021", "2021-05-05T05:05:05Z", kind=0,
               cancelled="2021-06-01T00:00:00Z", reason=1),
        in_app(BUNDLE + ".season", "510000000000022", "510000000000022", "2021-07-01T00:00:00Z", kind=2),
    ]


def short(kind="ProductionSandbox", created="2022-03-21T10:00:00Z", **options):
    return app(kind, created, [
        in_app(BUNDLE + ".monthly", "510000000000011", "510000000000011", "2022-03-01T09:00:00Z",
               expires="2022-04-01T09:00:00Z", item=510000000000901, trial=0, intro=0)], **options)


def write(name, content, source, file="receipt.base64", wrap=False):
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    if file.endswith("base64"):
        if not isinstance(content, str):
            content = base64.b64encode(content).decode()
        if wrap:
            content = "\n".join(content[at:at + 64] for at in range(0, len(content), 64))
        content = content.encode()
    (folder / file).write_bytes(content + (b"\n" if file.endswith("base64") else b""))
    (folder / "source.txt").write_text(source + "\n")


def app_receipts(own, foreign):
    production = app("Production", "2022-03-21T10:00:00Z", subscription(), app_id=1234567891)
    write("app-production", signed(own, production),
          "valid. A production receipt with every attribute and six purchases (receipts.md 1.1, 1.2).")
    write("app-production-binary", signed(own, production), "valid. The same in binary, as it lies in an app's bundle.",
          file="receipt.der")
    write("app-sandbox-sha1-wrapped", signed(own, short(), digest="sha1"),
          "valid. A sandbox receipt of the SHA-1 era, base64 in lines of 64.", wrap=True)
    write("app-vpp", signed(own, app("ProductionVPP", "2021-03-21T10:00:00Z", [], app_id=1234567891, extra=[
        (21, ia5("2023-03-21T10:00:00Z")), (22, ia5("2021-03-21T10:00:00Z")), (23, utf8("Example School"))])),
          "valid. Bought in volume for an organisation; it expires; no purchases.")
    write("app-preorder-fractions", signed(own, app("Production", "2020-09-27T12:07:19.686Z", [], app_id=1234567891,
          extra=[(32, ia5("2019-02-01T08:00:00.250Z"))])),
          "valid. Dates with milliseconds, as for some weeks of autumn 2020; a pre-order date.")
    write("app-unknown-attributes", signed(own, short(extra=[(9999, b"\x00\x01\x02"), (4711, b""), (1234, utf8("x"))])),
          "valid. Attributes that nobody knows are kept as they are.")
    write("app-signed-attributes", signed(own, short(), noattr=False),
          "valid. CMS with signed attributes, which Apple does not write but which is correct.")
    write("app-ber-chunked", signed(own, short(), stream=True),
          "valid. BER: indefinite lengths, the content in one constructed OCTET STRING.")
    storekit_key = key()
    storekit = certificate("StoreKit (test)", storekit_key, authority=True)
    xcode = app("Xcode", "2020-07-22T18:33:15+0100", [
        (17, attributes([(1701, integer(1)), (1702, utf8("pass")), (1703, utf8("0")),
                         (1704, ia5("2020-07-22T18:33:15+0100")), (1708, ia5("2020-08-22T18:33:15+0100")),
                         (1719, integer(0))]))],
        extra=[(21, ia5("4001-01-01T01:00:00+0100"))], leave_out=(18, 19, 6, 7, 14, 15, 16, 20, 25))
    write("app-xcode", signed(own, xcode, stream=True, leaf=storekit, leaf_key=storekit_key, chain=[]),
          "untrustedRoot. StoreKit testing in Xcode: self-signed, dates with an offset, no original transaction.")
    tampered = bytearray(signed(own, short()))
    place = tampered.index(b".monthly")
    tampered[place + 1] ^= 1
    write("bad-tampered", bytes(tampered), "signatureMismatch. One letter of a product id was changed.")
    write("bad-foreign", signed(foreign, short()), "untrustedRoot. Signed by another authority of the same make.")
    write("bad-developer-leaf", signed(own, short(), leaf=own.bare, leaf_key=own.bare_key),
          "leafMarkerMissing. A certificate of the same authority that is not for receipts.")
    write("bad-expired", signed(own, short(created="2026-01-01T00:00:00Z")),
          "certificateExpired. Created after the signer's certificate had expired.")
    write("bad-trailing", signed(own, short()) + b"\x00\x00", "trailingBytes. Two bytes behind the end.")
    write("bad-no-creation-date", signed(own, short(leave_out=(12,))), "creationDateMissing. There is no time to judge at.")
    write("bad-two-bundle-ids", signed(own, short(extra=[(2, utf8("com.example.other"))])),
          "attributeDuplicate. Readers would differ on which bundle id counts.")
    write("bad-nul-in-bundle-id", signed(own, short(bundle=BUNDLE + "\0.other")),
          "textMalformed. A NUL hides what follows from readers written in C.")


def transaction_receipts(own, foreign):
    seconds = 1646125200
    date = ("2022-03-01 09:00:00 Etc/GMT", "2022-03-01 01:00:00 America/Los_Angeles")
    old = (1330592400000, "2012-03-01 09:00:00 Etc/GMT", "2012-03-01 01:00:00 America/Los_Angeles")
    current = purchase(seconds * 1000, *date, True, expires=1648803600000)
    write("ios6-v3-production", transaction_receipt(own, 3, current).decode(),
          "valid. Version 3 of the signature; production leaves the environment out.")
    write("ios6-v2-sandbox", transaction_receipt(own, 2, purchase(*old, False), "Sandbox").decode(),
          "valid. Version 2: a key of 1024 bits below the iTunes Store's authority, which is not embedded.")
    envelope = '{"Store":"AppleAppStore","TransactionID":"510000000000102","Payload":"%s"}\n'
    write("ios6-unity-envelope", (envelope % transaction_receipt(own, 3, current).decode()).encode(),
          "valid. The envelope that an engine puts around it.", file="receipt.json")
    write("bad-ios6-tampered", transaction_receipt(
        own, 3, current, alter=lambda info: info.replace(b'"quantity" = "1"', b'"quantity" = "9"')).decode(),
        "signatureMismatch. The quantity was changed after signing.")
    write("bad-ios6-foreign", transaction_receipt(foreign, 3, current).decode(), "issuerMissing. Another authority's.")


def main():
    own, foreign = Authority(), Authority()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, one in (("root", own.root), ("intermediate", own.intermediate), ("store-intermediate", own.store)):
        (FOLDER / f"{name}.der").write_bytes(one.public_bytes(serialization.Encoding.DER))
    app_receipts(own, foreign)
    transaction_receipts(own, foreign)
    print(f"{len(list(FOLDER.glob('*/source.txt')))} receipts in {FOLDER}")


if __name__ == "__main__":
    main()
