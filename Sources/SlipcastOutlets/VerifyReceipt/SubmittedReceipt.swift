internal import SlipcastMapping
internal import SlipcastReceipts
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// What a request submits, verified: an app receipt, an iOS 6 receipt, or a signed transaction of StoreKit 2.
struct SubmittedReceipt {
  enum Form {
    case app(AppReceipt)
    case transaction(TransactionReceipt)
    /// A signed transaction or app transaction.
    case token(V2Part)
  }

  let form: Form
  let scope: CustomerScope
  /// The ids of the customer's purchases in it.
  let ids: Set<String>
  /// The transactions that it lists.
  let listed: Set<String>

  /// The signed transaction itself, where the request submits one: it is V2 data of the customer.
  var transactions: [V2Part] {
    if case .token(let part) = form, part.kind == .transaction { [part] } else { [] }
  }

  /// Verifies and reads a receipt.
  ///
  /// - Throws: `.unreadable` for what is not a receipt, `.untrusted` for one that is not trusted.
  init(_ text: String, _ verifier: SignedRecordVerifier, _ rules: RuleSet, _ reader: PartReader) throws(ReceiptStatus) {
    let bytes = Array(text.utf8)
    let trimmed = bytes.trimmed
    if SignedRecordVerifier.isToken(trimmed.span) {
      try Self.check(verifier.verify(text: trimmed.span), [.transaction, .appTransaction])
      try self.init(token: trimmed, reader)
      return
    }
    do throws(Refusal) {
      let receipt = try ReceiptText(bytes)
      try Self.refuse(verifier.verify(receipt).refusal)
      switch receipt.form {
      case .appReceipt: self.init(try AppReceipt(unverified: receipt.bytes, rules: rules))
      case .transactionReceipt: self.init(try TransactionReceipt(receipt.bytes))
      }
    } catch {
      throw error.status
    }
  }

  private static func check(_ verdict: Verdict, _ kinds: [SignedKind]) throws(ReceiptStatus) {
    if let refusal = verdict.refusal { throw refusal.status }
    guard let kind = verdict.kind, kinds.contains(kind) else { throw ReceiptStatus.unreadable }
  }

  private static func refuse(_ refusal: Refusal?) throws(Refusal) {
    if let refusal { throw refusal }
  }

  private init(token: [UInt8], _ reader: PartReader) throws(ReceiptStatus) {
    let parts = CompactJWS(token.span).map { reader.read(text: $0.payload, from: "receipt-data") } ?? []
    guard let part = parts.first, parts.count == 1, part.kind != .renewal, let environment = part.environment else {
      throw ReceiptStatus.unreadable
    }
    form = .token(part)
    scope = CustomerScope(environment: environment, bundleId: part.bundleId)
    (ids, listed) = (part.ids, Set([part.text("transactionId")].compactMap(\.self)))
  }

  private init(_ receipt: AppReceipt) {
    form = .app(receipt)
    // Old receipts of the sandbox have no type.
    scope = CustomerScope(environment: receipt.environment ?? "Sandbox", bundleId: receipt.bundleIdentifier)
    var (ids, listed) = (Set<String>(), Set<String>())
    for value in receipt.shownPurchases.joined() {
      guard case .text(let text) = value.content else { continue }
      if value.name == "transaction_id" { listed.insert(text) }
      if ["transaction_id", "original_transaction_id"].contains(value.name) { ids.insert(text) }
    }
    (self.ids, self.listed) = (ids, listed)
  }

  private init(_ receipt: TransactionReceipt) {
    form = .transaction(receipt)
    // The environment is not signed, and left out in production.
    scope = CustomerScope(environment: receipt.environment ?? "Production", bundleId: receipt.value("bid"))
    let names = ["transaction-id", "original-transaction-id"]
    ids = Set(names.compactMap { receipt.value($0) })
    listed = Set([receipt.value("transaction-id")].compactMap(\.self))
  }
}

extension [UInt8] {
  fileprivate var trimmed: [UInt8] {
    guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else {
      return []
    }
    return Array(self[first...last])
  }
}

extension Refusal {
  /// Unreadable is another status than untrusted.
  fileprivate var status: ReceiptStatus {
    switch reason {
    case .empty, .unrecognized, .tooLarge, .nothingSigned, .headerUnreadable, .payloadUnreadable, .payloadUnknown,
      .messageUnreadable, .trailingBytes, .contentType, .contentMissing, .receiptMalformed, .textMalformed,
      .propertyListUnreadable, .keyDuplicate, .purchaseInfoMissing, .memberKind:
      .unreadable
    default: .untrusted
    }
  }
}
