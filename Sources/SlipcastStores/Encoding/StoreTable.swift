/// A table that records are written to: its columns come from the steps of the schema, and are addressed by their names.
final class StoreTable: Sendable {
  let name: String
  /// The columns in the order in which the encoder lays them out; the line of a record comes last.
  let columns: [String]
  /// Those with an index that are texts.
  let indexedTexts: [Int]
  private let places: [String: Int]
  /// By `StoreColumn` the place of its column, or -1.
  private let known: [Int]

  init(_ name: String) {
    let schema = SchemaVersion.columns(of: name)
    let names = schema.map(\.name)
    columns = names.filter { $0 != StoreColumn.body.name } + names.filter { $0 == StoreColumn.body.name }
    let places = Dictionary(columns.enumerated().map { ($1, $0) }) { first, _ in first }
    indexedTexts = schema.filter { $0.isText && $0.isIndexed }.compactMap { places[$0.name] }
    known = StoreColumn.allCases.map { places[$0.name] ?? -1 }
    (self.name, self.places) = (name, places)
  }

  func index(_ column: String) -> Int? { places[column] }

  subscript(column: StoreColumn) -> Int {
    let place = known[column.rawValue]
    precondition(place >= 0, "the table has no such column")
    return place
  }

  var columnList: String { columns.joined(separator: ", ") }

  /// The tables in the order of `TableNumber`.
  static let all = TableNumber.allCases.map { StoreTable($0.name) }

  static let widths = all.map(\.columns.count)
}

/// The columns that hold no member of V2, and the ids of records.
enum StoreColumn: Int, CaseIterable, Sendable {
  case place, item, run, record, source, id, body, eventTime, receivedAt, origin
  case notificationUUID, answerUUID, kind
  case notification_type, rule, confidence, absorbedInto, content
  case notificationType, subtype, needs
  case code, severity, occurrences, path
  case line, byte_offset, stage, message, input, inputBase64, inputOmitted, faultOffset, length, sha256

  var name: String { "\(self)" }
}

/// The tables by number: an index into `StoreTable.all`.
enum TableNumber: Int, CaseIterable, Sendable {
  case notifications, answers, transactions, renewalInfos, candidates, findings, bodies, rejects

  var table: StoreTable { StoreTable.all[rawValue] }

  fileprivate var name: String {
    switch self {
    case .renewalInfos: "renewal_infos"
    default: "\(self)"
    }
  }
}
