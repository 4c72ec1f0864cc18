internal import SlipcastReceipts
@_spi(Slipcast) internal import SlipcastWire

/// The values of one subscription, or of another purchase, for a provider.
struct ExportRow {
  /// The value of a column: a text, or a number of a document.
  enum Content { case text(String), number(Int64) }

  /// Why a row cannot be made.
  struct Gap: Error { var reason: ExportReason }

  let format: ExportFormat
  let user: String
  let purchase: Purchase
  /// `nil` for a purchase that is not of a subscription.
  var subscription: Subscription?
  /// The newest trusted receipt, without base64 around it.
  var receipt: [UInt8]?

  /// The contents in the order of the columns; `nil` for an optional one that nothing states.
  ///
  /// - Throws: `Gap` where a value is missing.
  func contents(_ columns: [ExportFormat.Column]) throws(Gap) -> [Content?] {
    var contents: [Content?] = []
    for column in columns {
      guard let value = column.value else {
        contents.append(.text(column.constant))
        continue
      }
      let content = content(value, column.spelling)
      guard content != nil || column.isOptional else { throw Gap(reason: value.absence) }
      contents.append(content)
    }
    return contents
  }

  private func content(_ value: ExportValue, _ spelling: ExportFormat.Spelling?) -> Content? {
    switch value {
    case .purchaseDate: date(purchase.purchaseDate, spelling)
    case .firstPurchaseDate: date(subscription?.firstPurchaseDate ?? purchase.purchaseDate, spelling)
    case .end: date(purchase.end, spelling)
    default: text(value).map { .text($0) }
    }
  }

  private func text(_ value: ExportValue) -> String? {
    switch value {
    case .user: user
    case .originalTransactionId: subscription?.originalTransactionId ?? purchase.originalTransactionId
    case .transactionId: purchase.transactionId
    case .productId: purchase.productId
    case .environment: word("environment", purchase.environment == "Production" ? "production" : "sandbox")
    case .status: subscription.flatMap { word("status", $0.state.rawValue) }
    case .autoRenewal: subscription?.renewalWord.flatMap { word("autoRenewal", $0) }
    case .ownership: word("ownership", purchase.revocationDate == nil ? "owned" : "refunded")
    case .receipt: receipt.map { Base64.encode($0) }
    case .receiptOrTransaction:
      receipt.map { Base64.encode($0) } ?? subscription?.transaction?.signed.map { String(decoding: $0, as: UTF8.self) }
    case .price: purchase.price.flatMap { price in purchase.currency.map { _ in Self.units(price) } }
    case .currency: purchase.currency
    case .country: purchase.storefront.flatMap { ExportFormat.countries[$0] }
    case .purchaseDate, .firstPurchaseDate, .end: nil
    }
  }

  private func word(_ value: String, _ meaning: String) -> String? { format.words["\(value).\(meaning)"] }

  private func date(_ milliseconds: Int64?, _ spelling: ExportFormat.Spelling?) -> Content? {
    guard let milliseconds else { return nil }
    switch spelling {
    case .milliseconds: return .number(milliseconds)
    case .offsetDate:
      // Whole seconds, downwards.
      let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
      let text = Timestamp(milliseconds: seconds * 1000).description
      return .text("\(text.prefix(19))+00:00")
    case nil: return .text(Timestamp(milliseconds: milliseconds).description)
    }
  }

  /// Thousandths as units: 4990 is 4.99.
  static func units(_ price: Int64) -> String {
    let (whole, rest) = price.magnitude.quotientAndRemainder(dividingBy: 1000)
    var fraction = String(String(1000 + rest).dropFirst())
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return (price < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }
}
