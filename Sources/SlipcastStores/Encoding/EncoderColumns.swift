internal import SlipcastMapping

/// The column for every member of a V2 object.
struct EncoderColumns: Sendable {
  let table: TableNumber
  /// For each member, the index of its column in the table, or -1, and what the column accepts.
  let bySlot: [(column: Int, kind: StoreCell.Kind)]

  /// - Parameter names: the members to include; by default all that have a column of their name.
  private init(_ part: ObjectPart, _ table: TableNumber, only names: [String]? = nil) {
    self.table = table
    bySlot = zip(part.layout.names, part.layout.kinds).map { name, kind in
      guard let kind = StoreCell.Kind(kind), names?.contains(name) ?? true else { return (-1, .null) }
      return (table.table.index(name) ?? -1, kind)
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
  static let eventOfData = EncoderColumns(.data, .notifications, only: ["bundleId", "environment"])
  static let eventOfTransaction = EncoderColumns(.transaction, .transactions, only: ["originalTransactionId"])
  static let eventOfRenewal = EncoderColumns(.renewal, .renewalInfos, only: ["originalTransactionId"])
  /// The status is next to the renewal information.
  static let statusOfData = EncoderColumns(.data, .renewalInfos, only: ["status"])
  static let statusOfItem = EncoderColumns(.item, .renewalInfos, only: ["status"])
}
