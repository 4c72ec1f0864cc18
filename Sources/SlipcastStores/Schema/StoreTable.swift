internal import SlipcastV2
internal import SlipcastWire

/// A table that records are written to, as the encoder fills it.
struct StoreTable: Sendable {
  /// The kind of a column's values.
  enum Kind: Sendable {
    case text, integer, boolean
  }

  /// One column.
  struct Column: Sendable {
    var name: String
    var kind: Kind
  }

  /// The table's name.
  var name: String
  /// The columns in the order in which the encoder lays them out; the schema may have them in another.
  var columns: [Column]

  /// The index of a column; `nil` for an unknown name.
  func index(_ column: String) -> Int? { columns.firstIndex { $0.name == column } }

  /// The names of the columns with commas between them.
  var columnList: String { columns.map(\.name).joined(separator: ", ") }
}

extension StoreTable {
  /// The tables in the order of `TableNumber`.
  static let all: [StoreTable] = [
    notifications, answers, transactions, renewalInfos, candidates, findings, rejects,
  ]

  static let notifications = StoreTable(
    name: "notifications",
    columns: head + [Column(name: "notificationUUID", kind: .text)]
      + members(ResponseBodyV2DecodedPayload.self, ["notificationType", "subtype", "version", "signedDate"])
      + members(NotificationData.self, ["appAppleId", "bundleId", "bundleVersion", "environment", "status"])
      + members(JWSTransactionDecodedPayload.self, identifiers)
      + [
        Column(name: "notification_type", kind: .text), Column(name: "rule", kind: .text),
        Column(name: "confidence", kind: .text), Column(name: "absorbedInto", kind: .text),
        Column(name: "content", kind: .integer),
      ] + tail)

  static let answers = StoreTable(
    name: "answers",
    columns: head + [Column(name: "answerUUID", kind: .text), Column(name: "kind", kind: .text)]
      + members(HistoryResponse.self, ["appAppleId", "bundleId", "environment"]) + tail)

  static let transactions = StoreTable(
    name: "transactions", columns: items + scalars(JWSTransactionDecodedPayload.self))

  static let renewalInfos = StoreTable(
    name: "renewal_infos",
    columns: items + members(NotificationData.self, ["status"]) + scalars(JWSRenewalInfoDecodedPayload.self))

  static let candidates = StoreTable(name: "candidates", columns: items + scalars(MigrationCandidate.self))

  static let findings = StoreTable(
    name: "findings",
    columns: [
      Column(name: "place", kind: .integer), Column(name: "code", kind: .text), Column(name: "severity", kind: .text),
      Column(name: "occurrences", kind: .integer), Column(name: "path", kind: .text),
    ])

  static let rejects = StoreTable(
    name: "rejects",
    columns: [
      Column(name: "run", kind: .integer), Column(name: "source", kind: .text), Column(name: "record", kind: .integer),
      Column(name: "line", kind: .integer), Column(name: "byte_offset", kind: .integer),
      Column(name: "stage", kind: .text), Column(name: "code", kind: .text), Column(name: "path", kind: .text),
      Column(name: "message", kind: .text), Column(name: "id", kind: .text), Column(name: "input", kind: .text),
      Column(name: "inputBase64", kind: .text), Column(name: "inputOmitted", kind: .text),
    ])

  /// The ids that a notification shares with its transaction.
  static let identifiers = ["originalTransactionId", "transactionId", "webOrderLineItemId", "productId"]

  /// The first columns of a parent: values that only the store knows when it writes the row.
  private static let head = [
    Column(name: "place", kind: .integer), Column(name: "run", kind: .integer), Column(name: "record", kind: .integer),
  ]

  /// The last columns of a parent: the values next to the record, and the line itself.
  private static let tail = [
    Column(name: "eventTime", kind: .integer), Column(name: "receivedAt", kind: .integer),
    Column(name: "source", kind: .text), Column(name: "id", kind: .text), Column(name: "body", kind: .text),
  ]

  private static let items = [Column(name: "place", kind: .integer), Column(name: "item", kind: .integer)]

  private static func members<Model: FieldModel>(_ model: Model.Type, _ names: [String]) -> [Column] {
    let all = scalars(model)
    return names.compactMap { name in all.first { $0.name == name } }
  }

  /// All fields that fit into one column.
  static func scalars<Model: FieldModel>(_ model: Model.Type) -> [Column] {
    model.fields.compactMap { field in Kind(field.kind).map { Column(name: field.name, kind: $0) } }
  }
}

extension StoreTable.Kind {
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

  /// The table itself.
  var table: StoreTable { StoreTable.all[rawValue] }
}
