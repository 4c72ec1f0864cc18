import SlipcastTestSupport

/// Why a record is trusted although a bit of it was flipped: the signature does not cover that bit, and nothing that is
/// read depends on it.
enum SurvivalReason {
  static func of(_ place: String) -> String? { reasons[place] }

  private static let reasons = [
    "version of the message": "not signed (RFC 5652 section 5.4), and not read",
    "list of digest algorithms": "not signed; the signer names its own digest",
    "root's copy": "the path ends at the caller's own root; that copy is for display",
    "signer's version": "not signed, and not read",
    "signer's name and number":
      "names are compared without regard to case (RFC 5280 section 7.1), and the certificate that is found is the same",
    "signature algorithm": "its parameters, which are empty, or RSA's name with the digest; any other is refused",
    "signed attributes": "the bit `constructed` of a tag: what is signed is their form in DER (RFC 5652 section 5.4)",
    "headers of the parts": "the bit `constructed` of a tag, which OpenSSL does not look at; the content is the same",
    "a message of open lengths": "the same parts as in the other receipts, and the tag of a chunk of the content",
    "letters": "letters that spell such parts",
    "line ends": "one blank for another",
    "signature": "the blank before the member",
    "purchase-info": "the blank before the member",
    "what is not signed": "Apple signs only `purchase-info`: environment, pod and signing-status are not signed",
  ]
}

/// `Tests/end-to-end/conformance/bits.md`: how many flips each sample survives, and why.
enum SurvivalTable {
  /// What stands in the place of a reason that nobody has given.
  static let unknown = "no reason is known"

  static func text() throws -> String {
    """
    # One bit

    Signed records with one bit flipped, every bit in its turn, and judged with the unchanged record's root alone. A record
    that is trusted still must say the very same as before: the same path of certificates, bundle id, time and signed
    values; the test compares them. The other flips are refused.

    `SLIPCAST_THOROUGH=1 swift test --filter SingleBit` tries all of them and compares this page; `RECORD=1` rewrites it.
    Without `SLIPCAST_THOROUGH` every 53rd is tried. The notification is signed again for each run, so its length changes.


    """ + (try rows())
  }

  private static func rows() throws -> String {
    let head = ConformanceTable.head("record", "flips", "trusted", "where", "why that is right")
    return try SignedSample.all.reduce(head) { table, sample in
      let tally = try SingleBitTests.flips(sample)
      let tried = sample.places.isEmpty ? "all" : "\(tally.tried)"
      guard !tally.trusted.isEmpty else { return table + ConformanceTable.row(sample.name, tried, "0", "", "") }
      return tally.trusted.sorted { $0.key < $1.key }.reduce(table) { table, part in
        let reason = SurvivalReason.of(part.key) ?? unknown
        return table + ConformanceTable.row(sample.name, tried, "\(part.value)", part.key, reason)
      }
    }
  }
}
