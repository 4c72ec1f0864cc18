internal import SlipcastMapping

/// The column for every member of a V2 object.
struct EncoderColumns: Sendable {
  let table: TableNumber
  /// The indexes of the columns in the table, or -1.
  let bySlot: [Int]
  let kinds: [StoreTable.Kind]

  /// - Parameter names: the members to include; by default all that have a column of their name.
  private init(_ part: ObjectPart, _ table: TableNumber, only names: [String]? = nil) {
    self.table = table
    kinds = table.table.columns.map(\.kind)
    let scalars = part.layout.names.indices.filter { StoreTable.Kind(part.layout.kinds[$0]) != nil }
    bySlot = part.layout.names.enumerated().map { slot, name in
      guard scalars.contains(slot), names?.contains(name) ?? true else { return -1 }
      return table.table.index(name) ?? -1
    }
  }

  static let notification = EncoderColumns(.notification, .notifications)
  static let data = EncoderColumns(.data, .notifications)
  static let history = EncoderColumns(.history, .answers)
  static let statuses = EncoderColumns(.statuses, .answers)
  static let transaction = EncoderColumns(.transaction, .transactions)
  static let renewal = EncoderColumns(.renewal, .renewalInfos)
  // What a store asks of its events that holds nothing but them, until they are sorted.
  static let eventOfNotification = EncoderColumns(
    .notification, .notifications, only: ["notificationUUID", "signedDate"])
  static let eventOfTransaction = EncoderColumns(.transaction, .transactions, only: ["originalTransactionId"])
  static let eventOfRenewal = EncoderColumns(.renewal, .renewalInfos, only: ["originalTransactionId"])
  /// The status is next to the renewal information.
  static let statusOfData = EncoderColumns(.data, .renewalInfos, only: ["status"])
  static let statusOfItem = EncoderColumns(.item, .renewalInfos, only: ["status"])
}
