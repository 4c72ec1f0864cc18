internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// A value that a file of a provider may hold.
enum ExportValue: String, CaseIterable, Sendable {
  case user, originalTransactionId, transactionId, productId, environment
  case purchaseDate, firstPurchaseDate
  /// When access ends by the newest period: its end, or its refund.
  case end
  /// Words of the provider, by the format's `words`.
  case status, autoRenewal, ownership
  case receipt
  /// The newest receipt, else the newest signed transaction.
  case receiptOrTransaction
  /// In units of the currency.
  case price
  case currency
  /// ISO 3166-1 alpha-2.
  case country

  /// Why a subscription without the value is left out.
  var absence: ExportReason {
    switch self {
    case .user: .noUser
    case .receipt, .receiptOrTransaction: .noReceipt
    case .price, .currency, .country: .noPrice
    default: .noValue
    }
  }
}

/// Why a subscription is in no row; the first that applies.
package enum ExportReason: String, CaseIterable, Sendable {
  case sandbox, production, unknownEnvironment, familyShared, assigned, noUser, noReceipt, noPrice, noValue, needsQuotes
}

/// The format of the files that a provider imports, from `Mappings/exports`.
package struct ExportFormat: Sendable {
  package enum Form: String { case csv, lines, documents }

  /// How a value is written; a text without one of these.
  enum Spelling: String { case offsetDate, milliseconds }

  struct Column: Sendable {
    var name: String
    /// `nil`: the constant.
    var value: ExportValue?
    var constant = ""
    var spelling: Spelling?
    var isOptional = false
  }

  package let name: String
  package let provider: String
  /// Where the provider describes it, and when that was read.
  package let source: String
  package let date: String
  package let form: Form
  let columns: [Column]
  let separator: UInt8
  /// Whether a cell with a separator, a quote or a line end may be written in quotes.
  let allowsQuotes: Bool
  /// Of documents: the list, how many customers are in one, and the names of their id and lists.
  let list: String
  let batch: Int
  let customer: String
  let subscriptions: String
  let purchases: String?
  let purchaseColumns: [Column]
  /// The provider's words, by value and meaning: `status.grace`.
  let words: [String: String]

  /// Whether it holds receipts.
  package var needsReceipts: Bool { columns.contains { $0.value == .receipt || $0.value == .receiptOrTransaction } }

  /// The names of all formats, in the order of the documentation.
  package static let names = RuleCatalog.exports.map(\.name).filter { $0 != "countries" }

  /// What is wrong in a file of `Mappings/exports`: only a broken build can cause it.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// - Throws: `Fault` for an unknown name, or a file with a mistake.
  package init(named name: String) throws(Fault) {
    guard let file = RuleCatalog.exports.first(where: { $0.name == name }) else {
      throw Fault(description: "no format \(name)")
    }
    let buffer = JSONBuffer(file.bytes)
    let reader = JSONReader(names: [])
    // The tape belongs to its reader.
    defer { withExtendedLifetime((buffer, reader)) {} }
    guard let tape = try? reader.read(buffer) else { throw Fault(description: "\(name): broken JSON") }
    let root = JSONElement(tape: tape)
    func text(_ key: String) -> String? { root[key]?.string }
    guard let provider = text("provider"), let source = text("source"), let date = text("date"),
      let form = text("form").flatMap(Form.init(rawValue:)), let columns = root["columns"]
    else { throw Fault(description: "\(name): expected provider, source, date, form and columns") }
    (self.name, self.provider, self.source, self.date, self.form) = (name, provider, source, date, form)
    self.columns = try Self.columns(columns)
    separator = text("separator")?.utf8.first ?? UInt8(ascii: ",")
    allowsQuotes = root["quotes"]?.boolean ?? true
    list = text("list") ?? ""
    batch = Int(root["batch"]?.integer ?? 1)
    customer = text("customer") ?? ""
    subscriptions = text("subscriptions") ?? ""
    purchases = text("purchases")
    purchaseColumns = try root["purchaseColumns"].map { element throws(Fault) in try Self.columns(element) } ?? []
    words = Dictionary(
      (root["words"]?.children ?? []).compactMap { word in word.string.map { (word.name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  private static func columns(_ list: JSONElement) throws(Fault) -> [Column] {
    var columns: [Column] = []
    for item in list.children {
      guard let name = item["name"]?.string else { throw Fault(description: "a column without a name") }
      var column = Column(name: name)
      if let constant = item["is"]?.string {
        column.constant = constant
      } else {
        guard let value = item["value"]?.string.flatMap(ExportValue.init(rawValue:)) else {
          throw Fault(description: "\(name): expected a value")
        }
        column.value = value
      }
      column.spelling = item["as"]?.string.flatMap(Spelling.init(rawValue:))
      column.isOptional = item["optional"]?.boolean ?? false
      columns.append(column)
    }
    return columns
  }

  /// ISO 3166-1 alpha-2 by alpha-3.
  static let countries: [String: String] = {
    guard let file = RuleCatalog.exports.first(where: { $0.name == "countries" }) else { return [:] }
    return JSONReader(names: []).parse(JSONBuffer(file.bytes)) { root in
      Dictionary(
        (root["alpha2"]?.children ?? []).compactMap { code in code.string.map { (code.name, $0) } },
        uniquingKeysWith: { first, _ in first })
    } ?? [:]
  }()
}
