internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// The JSON keys that the encoder looks for, numbered, and where each of them goes.
struct EncoderKeys: Sendable {
  /// For every numbered key the column it fills, or -1.
  struct Columns: Sendable {
    var table: TableNumber
    var kinds: [StoreTable.Kind]
    var byKey: [Int16]
  }

  /// All keys; a key's number is its place here.
  let names: [String]
  let notification, data, answer, transaction, renewal, migration, candidate, absorbed, status: Columns
  /// Keys that lead to other objects.
  let dataKey, transactionsKey, migrationKey, transactionInfoKey, renewalInfoKey, lastTransactionsKey: UInt16
  let candidatesKey, absorbedKey, notificationUUIDKey: UInt16

  static let shared = EncoderKeys()

  private init() {
    var names: [String] = []
    for name in Self.objectKeys + TableNumber.allCases.flatMap({ $0.table.columns.map(\.name) }) + ["into"]
    where !names.contains(name) { names.append(name) }
    func number(_ name: String) -> UInt16 { UInt16(names.firstIndex(of: name) ?? Int(JSONEntry.unknownKey)) }
    func columns(_ table: TableNumber, _ taken: [String], as column: String? = nil) -> Columns {
      var byKey = [Int16](repeating: -1, count: names.count)
      for name in taken {
        if let index = table.table.index(column ?? name) { byKey[Int(number(name))] = Int16(index) }
      }
      return Columns(table: table, kinds: table.table.columns.map(\.kind), byKey: byKey)
    }
    func scalars<Model: FieldModel>(_ model: Model.Type) -> [String] { StoreTable.scalars(model).map(\.name) }

    notification = columns(.notifications, scalars(ResponseBodyV2DecodedPayload.self))
    data = columns(.notifications, scalars(NotificationData.self))
    answer = columns(.answers, scalars(HistoryResponse.self))
    transaction = columns(.transactions, scalars(JWSTransactionDecodedPayload.self))
    renewal = columns(.renewalInfos, scalars(JWSRenewalInfoDecodedPayload.self))
    migration = columns(.notifications, ["rule", "confidence"])
    candidate = columns(.candidates, scalars(MigrationCandidate.self))
    absorbed = columns(.notifications, ["into"], as: "absorbedInto")
    status = columns(.renewalInfos, ["status"])
    (dataKey, transactionsKey, migrationKey) = (number("data"), number("transactions"), number("migration"))
    (transactionInfoKey, renewalInfoKey) = (number("transactionInfo"), number("renewalInfo"))
    lastTransactionsKey = number("lastTransactions")
    (candidatesKey, absorbedKey) = (number("candidates"), number("absorbed"))
    notificationUUIDKey = number("notificationUUID")
    self.names = names
  }

  private static let objectKeys = [
    "data", "transactions", "migration", "transactionInfo", "renewalInfo", "lastTransactions", "candidates", "absorbed",
  ]
}
