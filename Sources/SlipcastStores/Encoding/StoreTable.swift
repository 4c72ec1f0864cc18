internal import SlipcastV2
internal import SlipcastWire

/// A table that records are written to, as the encoder fills it.
struct StoreTable: Sendable {
  var name: String
  /// The columns in the order in which the encoder lays them out; the schema may have them in another.
  var columns: [String]

  func index(_ column: String) -> Int? { columns.firstIndex(of: column) }

  var columnList: String { columns.joined(separator: ", ") }
}

extension StoreTable {
  /// The tables in the order of `TableNumber`.
  static let all: [StoreTable] = [
    notifications, answers, transactions, renewalInfos, candidates, findings, rejects,
  ]

  static let widths = all.map(\.columns.count)

  static let notifications = StoreTable(
    name: "notifications",
    columns: head + ["notificationUUID", "notificationType", "subtype", "version", "signedDate"]
      + ["appAppleId", "bundleId", "bundleVersion", "environment", "status"] + identifiers
      + ["notification_type", "rule", "confidence", "absorbedInto", "content"] + tail)

  static let answers = StoreTable(
    name: "answers", columns: head + ["answerUUID", "kind", "appAppleId", "bundleId", "environment"] + tail)

  static let transactions = StoreTable(
    name: "transactions", columns: items + scalars(JWSTransactionDecodedPayload.self))

  static let renewalInfos = StoreTable(
    name: "renewal_infos", columns: items + ["status"] + scalars(JWSRenewalInfoDecodedPayload.self))

  static let candidates = StoreTable(name: "candidates", columns: items + scalars(MigrationCandidate.self))

  static let findings = StoreTable(name: "findings", columns: ["place", "code", "severity", "occurrences", "path"])

  static let rejects = StoreTable(
    name: "rejects",
    columns: [
      "run", "source", "record", "line", "byte_offset", "stage", "code", "path", "message", "id", "input",
      "inputBase64", "inputOmitted", "faultOffset", "length", "sha256",
    ])

  /// The ids that a notification shares with its transaction.
  static let identifiers = ["originalTransactionId", "transactionId", "webOrderLineItemId", "productId"]

  /// The first columns of a parent: values that only the store knows when it writes the row.
  private static let head = ["place", "run", "record"]

  /// The last columns of a parent: the values next to the record, and the line itself.
  private static let tail = ["eventTime", "receivedAt", "source", "id", "body"]

  private static let items = ["place", "item"]

  /// All fields that fit into one column.
  private static func scalars<Model: FieldModel>(_ model: Model.Type) -> [String] {
    model.fields.filter { StoreCell.Kind($0.kind) != nil }.map(\.name)
  }
}

extension StoreCell.Kind {
  /// The kind of a column for such a field; `nil` where the field does not fit into one column.
  init?(_ kind: FieldKind) {
    switch kind {
    case .text, .uuid, .word: self = .text
    case .integer32, .integer64, .code, .milliseconds, .milliunits: self = .integer
    case .boolean: self = .boolean
    case .texts, .object, .objects: return nil
    }
  }
}

/// The tables by number: an index into `StoreTable.all`.
enum TableNumber: Int, CaseIterable, Sendable {
  case notifications, answers, transactions, renewalInfos, candidates, findings, rejects

  var table: StoreTable { StoreTable.all[rawValue] }
}
