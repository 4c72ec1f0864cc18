@_spi(Slipcast) internal import SlipcastLegacy
public import SlipcastSignatures
@_spi(Slipcast) public import SlipcastWire

/// A transaction receipt in the style of iOS 6: an old-style property list with one purchase and its signature.
///
/// Nothing here is verified: use `ReceiptVerifier` to decide whether the receipt is trusted.
public struct TransactionReceipt: Sendable {
  /// The signed bytes: the purchase as a separate property list.
  package let purchaseInfo: [UInt8]
  private let signature: [UInt8]?
  private let hasSignature: Bool
  /// The environment that the receipt states, which is not signed: `Sandbox`, and nothing in production.
  public let environment: String?
  /// The group of servers that made it, as digits; not signed.
  public let pod: String?
  /// A number that is 0 in all observed receipts; not signed.
  public let signingStatus: String?
  private let purchase: [(key: String, value: String)]

  static let limit = 1 << 20

  /// Decodes a receipt, given as its property list or as base64 of that, without verifying it.
  ///
  /// - Throws: `Refusal` for bytes that are not such a receipt.
  public init(_ bytes: [UInt8]) throws(Refusal) {
    guard bytes.count <= Self.limit else { throw Refusal(.tooLarge, "expected \(Self.limit >> 20) MiB at most") }
    let outer = try Self.list(Base64.decode(bytes) ?? bytes)
    guard let encoded = outer["purchase-info"], let purchaseInfo = Base64.decode(encoded.utf8) else {
      throw Refusal(.purchaseInfoMissing)
    }
    guard case .dictionary(let members) = try Self.list(purchaseInfo) else { throw Refusal(.purchaseInfoMissing) }
    self.purchaseInfo = purchaseInfo
    hasSignature = outer["signature"] != nil
    signature = outer["signature"].flatMap { Base64.decode($0.utf8) }
    environment = outer["environment"]
    (pod, signingStatus) = (outer["pod"], outer["signing-status"])
    purchase = members.compactMap { member in
      if case .text(let text) = member.value { (member.key, text) } else { nil }
    }
    // In the answer both would be one key.
    guard Set(purchase.map { Array(Self.legacyName($0.key).utf8) }).count == purchase.count else {
      throw Refusal(.keyDuplicate, "two keys of purchase-info differ in - and _ alone")
    }
  }

  private static func legacyName(_ key: String) -> String { key.replacing("-", with: "_") }

  private static func list(_ bytes: [UInt8]) throws(Refusal) -> OldStylePropertyList {
    let list: OldStylePropertyList
    do throws(OldStylePropertyList.Fault) {
      list = try OldStylePropertyList(bytes)
    } catch {
      let reason = error.isDuplicate ? Refusal.Reason.keyDuplicate : .propertyListUnreadable
      throw Refusal(reason, "byte \(error.offset): expected \(error.expected)")
    }
    guard case .dictionary = list else { throw Refusal(.propertyListUnreadable, "expected a dictionary") }
    return list
  }

  /// The value of a key of the purchase, such as `transaction-id`.
  public func value(_ key: String) -> String? { purchase.first { $0.key == key }?.value }

  /// When it was purchased; the time at which the signer's certificate is evaluated.
  public var purchaseDate: Timestamp? {
    if let text = value("purchase-date-ms") {
      // Values beyond the year 9999 are not dates.
      return Int64(text).flatMap { $0.magnitude < 253_402_300_800_000 ? Timestamp(milliseconds: $0) : nil }
    }
    guard var text = value("purchase-date") else { return nil }
    return text.withUTF8 { bytes in
      guard let base = bytes.baseAddress,
        case .utc(let seconds) = ReceiptDate.read(JSONText(base: base, count: bytes.count, isVerbatim: true))
      else { return nil }
      return Timestamp(milliseconds: seconds * 1000)
    }
  }

  /// The signature.
  ///
  /// - Throws: `Refusal` for a blob of another form.
  package func blobSignature() throws(Refusal) -> BlobSignature {
    guard let signature else { throw Refusal(hasSignature ? .signatureMalformed : .signatureMissing) }
    return try BlobSignature(signature)
  }

  // MARK: the answer

  /// The receipt as verifyReceipt would have answered, in the style of iOS 6: `{"environment":…,"receipt":{…}}`.
  ///
  /// Keys are those of the purchase with `_` for `-`; the environment is left out where the receipt leaves it out.
  public var answer: [UInt8] {
    JSONWriter.object(capacity: 2048, writeInspection).bytes
  }

  /// Writes the members `environment` (where the receipt has it) and `receipt`.
  package func writeInspection(to writer: JSONWriter) {
    writer.member(LegacyKey.environment.name, ifPresent: environment)
    writer.object(LegacyKey.receipt.name) {
      for member in purchase { writer.member(Self.legacyName(member.key), member.value) }
    }
  }
}

extension TransactionReceipt {
  /// The keys and values of the purchase, with `_` for `-`, as the answer's `receipt` has them.
  package var shown: [(name: String, value: String)] { purchase.map { (Self.legacyName($0.key), $0.value) } }
}
