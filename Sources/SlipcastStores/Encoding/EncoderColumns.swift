internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// The column for every member of a V2 object: the one of its name.
struct EncoderColumns: Sendable {
  let table: TableNumber
  /// For each member, the index of its column in the table, or -1, and what the column accepts.
  let bySlot: [(column: Int, kind: StoreCell.Kind)]

  /// - Parameter names: the members to include; by default all that have a column of their name.
  private init(_ part: ObjectPart, _ table: TableNumber, only names: [String]? = nil) {
    self.table = table
    bySlot = part.schema.fields.map { field in
      guard let kind = StoreCell.Kind(field.kind), names?.contains(field.name) ?? true else { return (-1, .null) }
      return (table.table.index(field.name) ?? -1, kind)
    }
  }

  static let notification = EncoderColumns(.notification, .notifications)
  static let data = EncoderColumns(.data, .notifications)
  static let history = EncoderColumns(.history, .answers)
  static let statuses = EncoderColumns(.statuses, .answers)
  static let appTransaction = EncoderColumns(.appTransaction, .answers)
  static let transaction = EncoderColumns(.transaction, .transactions)
  static let renewal = EncoderColumns(.renewal, .renewalInfos)
  /// The status is next to the renewal information.
  static let statusOfData = EncoderColumns(.data, .renewalInfos, only: ["status"])
  static let statusOfItem = EncoderColumns(.item, .renewalInfos, only: ["status"])

  /// For each id of a notification that neither it nor its data has: its column there, in its transaction and in its
  /// renewal information.
  static let identifiers: [(parent: Int, transaction: Int, renewal: Int?)] = TableNumber.notifications.table.columns
    .enumerated().compactMap { parent, name in
      let isOwn = [ObjectPart.notification, .data].contains { $0.schema.slot(name) != nil }
      guard !isOwn, ObjectPart.transaction.schema.slot(name) != nil,
        let column = TableNumber.transactions.table.index(name)
      else { return nil }
      let isOfRenewal = ObjectPart.renewal.schema.slot(name) != nil
      return (parent, column, isOfRenewal ? TableNumber.renewalInfos.table.index(name) : nil)
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
