@_spi(Slipcast) internal import SlipcastLegacy
public import SlipcastMapping
public import SlipcastSignatures
internal import SlipcastWire

/// A decoded app receipt (iOS 7 and later, macOS): the verifyReceipt response, and what that response does not show.
///
/// Nothing here is verified: use `ReceiptVerifier` to decide whether the receipt is trusted.
///
/// Source: Apple, "Validating receipts on the device" and "Receipt Fields"; further attributes as `Mappings` cites
/// them.
public struct AppReceipt: Sendable {
  /// One attribute with the rule that describes it, if there is one.
  struct Entry: Sendable {
    var attribute: ReceiptAttribute
    // A receipt may have a million attributes, and a rule is long.
    private let described: ReceiptAttributeTable.Row?

    init(_ attribute: ReceiptAttribute, _ described: ReceiptAttributeTable.Row?) {
      (self.attribute, self.described) = (attribute, described)
    }

    var rule: ReceiptAttributeRule? { described?.rule }
  }

  /// The attributes of the receipt itself, purchases left out, in their order.
  let entries: [Entry]
  let purchases: [[Entry]]

  /// Decodes an app receipt, given as CMS in DER or BER, without verifying it.
  ///
  /// - Throws: `Refusal` for bytes that are not an app receipt.
  public init(unverified bytes: [UInt8], rules: RuleSet) throws(Refusal) {
    try self.init(content: try SignedMessage(bytes).content, table: ReceiptAttributeTable(rules))
  }

  /// Decodes the signed content of an app receipt.
  ///
  /// - Parameter isForVerifying: keeps only attributes that decide, of millions that a receipt may have; all are read.
  init(content: [UInt8], table: ReceiptAttributeTable, isForVerifying: Bool = false) throws(Refusal) {
    var entries: [Entry] = []
    var purchases: [[Entry]] = []
    var number = 0
    try ReceiptAttribute.forEach(in: content[...]) { attribute throws(Refusal) in
      let entry = Entry(attribute, table.ofReceipt[attribute.type])
      guard entry.rule?.encoding == .set else {
        if !isForVerifying || ReceiptAttributeRule.decisive.contains(attribute.type) { entries.append(entry) }
        return
      }
      number += 1
      do throws(Refusal) {
        let purchase = try Self.purchase(attribute.value, table)
        if !isForVerifying { purchases.append(purchase) }
      } catch {
        throw Refusal(.receiptMalformed, "purchase \(number): \(error.detail ?? "")")
      }
    }
    (self.entries, self.purchases) = (entries, purchases)
  }

  private static func purchase(
    _ content: ArraySlice<UInt8>, _ table: ReceiptAttributeTable
  ) throws(Refusal) -> [Entry] {
    var entries: [Entry] = []
    try ReceiptAttribute.forEach(in: content) { attribute throws(Refusal) in
      entries.append(Entry(attribute, table.ofPurchase[attribute.type]))
    }
    return entries
  }

  /// The number of purchases.
  public var purchaseCount: Int { purchases.count }

  // MARK: values for verification

  /// `Production`, `ProductionSandbox`, `ProductionVPP`, `ProductionVPPSandbox` or `Xcode`.
  public var receiptType: String? { text(0) }
  /// The bundle id of the app.
  public var bundleIdentifier: String? { text(2) }
  /// The App Store id of the app; `nil` outside production, where it is 0.
  public var appAppleId: Int64? {
    guard case .integer(let value) = first(1)?.decoded, value > 0 else { return nil }
    return value
  }

  /// The environment that the receipt's type means; `nil` for no type or an unknown one.
  public var environment: String? {
    switch receiptType {
    case "Production", "ProductionVPP": "Production"
    case "ProductionSandbox", "ProductionVPPSandbox", "Sandbox": "Sandbox"
    case "Xcode": "Xcode"
    default: nil
    }
  }

  /// By number, not by rule: trust in a receipt must not depend on a file that a user may change.
  private func first(_ type: Int64) -> ReceiptAttribute? { entries.first { $0.attribute.type == type }?.attribute }

  private func text(_ type: Int64) -> String? {
    guard let text = first(type)?.decoded?.text, !text.isEmpty else { return nil }
    return text
  }

  /// Rejects a receipt whose decisive attributes readers could interpret differently.
  func requireDecisiveAttributes() throws(Refusal) {
    for type in ReceiptAttributeRule.decisive where entries.count(where: { $0.attribute.type == type }) > 1 {
      throw Refusal(.attributeDuplicate, "attribute \(type)")
    }
    for (type, key) in [(Int64(0), LegacyKey.receipt_type), (2, .bundle_id)] {
      guard let attribute = first(type) else { continue }
      if attribute.decoded?.text == nil { throw Refusal(.textMalformed, key.name) }
    }
  }

  /// The time at which the signer's certificate is evaluated.
  func requiredCreationDate() throws(Refusal) -> Timestamp {
    guard let attribute = first(12) else { throw Refusal(.creationDateMissing) }
    guard case .ia5(let text) = attribute.decoded else { throw Refusal(.creationDateUnreadable) }
    guard !text.isEmpty else { throw Refusal(.creationDateMissing, "the date is empty") }
    guard let time = RFC3339Date.milliseconds(text) else { throw Refusal(.creationDateUnreadable) }
    return Timestamp(milliseconds: time)
  }

  /// Compares the device hash: SHA-1 over device id, opaque value and bundle id, the last with its ASN.1 header.
  ///
  /// Source: Apple, "Validating receipts on the device".
  func requireDevice(_ device: [UInt8]) throws(Refusal) {
    guard let opaque = first(4)?.value, let hash = first(5)?.value, let bundle = first(2)?.value else {
      throw Refusal(.deviceHashMissing)
    }
    guard Digest.sha1(device + opaque + bundle) == Array(hash) else { throw Refusal(.deviceMismatch) }
  }
}

/// The rules of attributes by their types.
struct ReceiptAttributeTable: Sendable {
  final class Row: Sendable {
    let rule: ReceiptAttributeRule

    init(_ rule: ReceiptAttributeRule) { self.rule = rule }
  }

  let ofReceipt: [Int64: Row]
  let ofPurchase: [Int64: Row]

  init(_ rules: RuleSet) {
    ofReceipt = Self.byType(rules.receiptAttributes.filter { !$0.isInApp })
    ofPurchase = Self.byType(rules.receiptAttributes.filter(\.isInApp))
  }

  private static func byType(_ rules: [ReceiptAttributeRule]) -> [Int64: Row] {
    Dictionary(rules.map { ($0.type, Row($0)) }, uniquingKeysWith: { first, _ in first })
  }
}
