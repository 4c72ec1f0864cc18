"""Certificate chains with one fault each, made with `cryptography`.

Our binary keeps no key of its authorities, so chains that break a rule of RFC 5280 are
made here: each has a root of its own, which the verifier is told to trust.
"""

import datetime
from dataclasses import dataclass, replace
from functools import cache

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID, ObjectIdentifier

LEAF_MARK = "1.2.840.113635.100.6.11.1"
INTERMEDIATE_MARK = "1.2.840.113635.100.6.2.1"
ASN1_NULL = b"\x05\x00"


def year(number: int) -> datetime.datetime:
    """The first moment of a year."""
    return datetime.datetime(number, 1, 1, tzinfo=datetime.UTC)


@cache
def key(name: str, kind: str) -> ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey:
    """A private key; the same one for the same name and kind."""
    if kind == "rsa":
        return rsa.generate_private_key(65537, 2048)
    return ec.generate_private_key({"p256": ec.SECP256R1(), "p384": ec.SECP384R1()}[kind])


@dataclass(frozen=True)
class Template:
    """What one certificate says; the defaults are those of a sound leaf."""

    name: str = "leaf"
    key_kind: str = "p256"
    years: tuple[int, int] = (2015, 2049)
    is_authority: bool = False
    path_length: int | None = None
    usages: tuple[str, ...] = ("digital_signature",)
    marks: tuple[str, ...] = (LEAF_MARK,)
    are_marks_critical: bool = False
    has_subject_key: bool = True
    has_authority_key: bool = True
    issuer_name: str | None = None
    unknown_critical: bool = False


@dataclass(frozen=True)
class Chain:
    """Root, intermediate and leaf."""

    root: Template = Template("root", "p384", is_authority=True, usages=("key_cert_sign",), marks=())
    intermediate: Template = Template(
        "intermediate", "p384", is_authority=True, path_length=0, usages=("key_cert_sign", "crl_sign"),
        marks=(INTERMEDIATE_MARK,),
    )
    leaf: Template = Template()

    def but(self, **changes: dict) -> "Chain":
        """The chain with other templates: `but(leaf={"marks": ()})`."""
        made = {name: replace(getattr(self, name), **of) for name, of in changes.items()}
        return replace(self, **made)

    def issue(self) -> tuple[list[bytes], object]:
        """The certificates in DER, leaf first, and the leaf's key."""
        root = issue(self.root, self.root)
        intermediate = issue(self.intermediate, self.root)
        leaf = issue(self.leaf, self.intermediate)
        return [leaf, intermediate, root], key(self.leaf.name, self.leaf.key_kind)


def subject(name: str) -> x509.Name:
    """A distinguished name."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Slipcast Mutant {name}")])


def usage(names: tuple[str, ...]) -> x509.KeyUsage:
    """A key usage with these bits."""
    bits = (
        "digital_signature content_commitment key_encipherment data_encipherment "
        "key_agreement key_cert_sign crl_sign encipher_only decipher_only"
    ).split()
    return x509.KeyUsage(**{bit: bit in names for bit in bits})


def issue(template: Template, issuer: Template) -> bytes:
    """A certificate, signed by the issuer's key; the issuer may be itself."""
    own = key(template.name, template.key_kind)
    signer = key(issuer.name, issuer.key_kind)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject(template.name))
        .issuer_name(subject(template.issuer_name or issuer.name))
        .public_key(own.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(year(template.years[0]))
        .not_valid_after(year(template.years[1]))
    )
    constraints = x509.BasicConstraints(template.is_authority, template.path_length)
    builder = builder.add_extension(constraints, critical=True)
    builder = builder.add_extension(usage(template.usages), critical=True)
    if template.has_subject_key:
        identifier = x509.SubjectKeyIdentifier.from_public_key(own.public_key())
        builder = builder.add_extension(identifier, critical=False)
    if template.has_authority_key:
        above = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
        builder = builder.add_extension(above, critical=False)
    for mark in template.marks:
        extension = x509.UnrecognizedExtension(ObjectIdentifier(mark), ASN1_NULL)
        builder = builder.add_extension(extension, template.are_marks_critical)
    if template.unknown_critical:
        oid = ObjectIdentifier("1.3.6.1.4.1.55555.1")
        unknown = x509.UnrecognizedExtension(oid, ASN1_NULL)
        builder = builder.add_extension(unknown, critical=True)
    return builder.sign(signer, hashes.SHA384()).public_bytes(Encoding.DER)


def faulty_chains() -> dict[str, Chain]:
    """Chains by name; "sound" is the control."""
    good = Chain()
    return {
        "sound": good,
        "leaf expired at signedDate": good.but(leaf={"years": (2015, 2017)}),
        "leaf not yet valid at signedDate": good.but(leaf={"years": (2040, 2049)}),
        "intermediate expired": good.but(intermediate={"years": (2015, 2017)}),
        "root expired": good.but(root={"years": (2015, 2017)}),
        "intermediate is no authority": good.but(intermediate={"is_authority": False, "path_length": None}),
        "intermediate may not sign certificates": good.but(intermediate={"usages": ("digital_signature",)}),
        "root is no authority": good.but(root={"is_authority": False}),
        "path longer than the root allows": good.but(root={"path_length": 0}),
        "leaf without its mark": good.but(leaf={"marks": ()}),
        "leaf with the intermediate's mark": good.but(leaf={"marks": (INTERMEDIATE_MARK,)}),
        "leaf with both marks": good.but(leaf={"marks": (LEAF_MARK, INTERMEDIATE_MARK)}),
        "leaf with a mark next to Apple's": good.but(leaf={"marks": ("1.2.840.113635.100.6.11.2",)}),
        "intermediate without its mark": good.but(intermediate={"marks": ()}),
        "intermediate with the leaf's mark": good.but(intermediate={"marks": (LEAF_MARK,)}),
        "marks are critical": good.but(leaf={"are_marks_critical": True}),
        "leaf with an unknown critical extension": good.but(leaf={"unknown_critical": True}),
        "leaf without authority key identifier": good.but(leaf={"has_authority_key": False}),
        "intermediate without subject key identifier": good.but(intermediate={"has_subject_key": False}),
        "leaf for key agreement only": good.but(leaf={"usages": ("key_agreement",)}),
        "leaf is an authority": good.but(leaf={"is_authority": True, "usages": ("digital_signature", "key_cert_sign")}),
        "leaf names another issuer": good.but(leaf={"issuer_name": "nobody"}),
        "leaf on P-384": good.but(leaf={"key_kind": "p384"}),
        "leaf with an RSA key": good.but(leaf={"key_kind": "rsa"}),
    }
