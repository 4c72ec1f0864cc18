/// What a column next to the record may be for: the time or the id of the row.
enum ColumnUse {
  /// The time at which the record arrived. Where the row is the record itself, only a name says which of its times.
  case time(isRow: Bool)
  case id

  /// The option that names it.
  var option: String {
    switch self {
    case .time: "received-at"
    case .id: "id"
    }
  }

  /// What such columns have.
  var what: String {
    switch self {
    case .time: "times"
    case .id: "unique values"
    }
  }

  /// A column that has it in every row is chosen before others.
  ///
  /// An id only names a row in a list of rejects. A time becomes the date of a message: which of several is meant does
  /// not follow from how many rows have it.
  var prefersComplete: Bool {
    switch self {
    case .time: false
    case .id: true
    }
  }

  /// Nearly all rows have it there.
  func fits(_ column: ColumnProfile, _ rows: Int) -> Bool {
    switch self {
    case .time(let isRow): column.holdsTimes(in: rows) && (isRow || Self.isTimeOfReceipt(column))
    case .id: column.isNearlyUnique(in: rows) && column.times == 0 && Self.isID(column)
    }
  }

  /// Every row has it there.
  func isComplete(_ column: ColumnProfile, _ rows: Int) -> Bool {
    switch self {
    case .time: column.times == rows
    case .id: column.isUnique(in: rows)
    }
  }

  /// How many rows have it there.
  func count(_ column: ColumnProfile, _ rows: Int) -> String {
    switch self {
    case .time: "times in \(column.times) of \(rows) rows"
    case .id: "\(column.different) different values in \(rows) rows"
    }
  }

  /// The name says that it is the one.
  func isPreferred(_ column: ColumnProfile) -> Bool {
    switch self {
    case .time: Self.isTimeOfReceipt(column)
    case .id:
      column.pointer.tokens.count == 1 && ["id", "_id"].contains(column.pointer.tokens[0].lowercased())
    }
  }

  /// Why a column does not fit that looks meant for it; `nil` for any other column.
  func reason(_ column: ColumnProfile, _ rows: Int) -> String? {
    switch self {
    case .time(let isRow):
      guard column.rows > 0, isRow || Self.isTimeOfReceipt(column) else { return nil }
      if column.times == 0 { return Self.isTimeOfReceipt(column) ? "no times that Slipcast reads" : nil }
      return Self.isTimeOfReceipt(column) || column.times * 2 >= rows ? count(column, rows) : nil
    case .id: return isPreferred(column) && column.times == 0 && column.rows > 0 ? count(column, rows) : nil
    }
  }

  /// `received_at`, `receivedAt`, also misspelled: `recieved_at`.
  private static func isTimeOfReceipt(_ column: ColumnProfile) -> Bool {
    guard let name = column.pointer.tokens.last?.lowercased() else { return false }
    return name.contains("receiv") || name.contains("reciev")
  }

  /// The name says that it is an id: `id`, `message_id`, `messageId`, `uuid`, `pk`.
  private static func isID(_ column: ColumnProfile) -> Bool {
    guard let name = column.pointer.tokens.last else { return false }
    let lower = name.lowercased()
    return ["id", "uuid", "guid", "key", "pk"].contains(lower)
      || ["_id", "-id", ".id", "_uuid", "_key", "_pk"].contains(where: lower.hasSuffix)
      || ["Id", "ID", "Uuid", "UUID", "Key"].contains(where: name.hasSuffix)
  }
}
