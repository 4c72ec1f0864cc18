internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// The members of the four objects of a V2 notification: how each is read from a tape, and by which numbers keys go.
struct PartTable: Sendable {
  /// One member; a class, because members are handed around for every value of every record.
  final class Member: Sendable {
    let name: String
    let kind: FieldKind
    /// Reads what is not a scalar, and reports what is wrong with a scalar.
    let read: @Sendable (JSONElement) throws(FieldError) -> FieldValue?

    init(_ name: String, _ kind: FieldKind, _ read: @escaping @Sendable (JSONElement) throws(FieldError) -> FieldValue?)
    {
      (self.name, self.kind, self.read) = (name, kind, read)
    }
  }

  final class Part: Sendable {
    let part: ObjectPart
    let prefix: String
    /// The family of its rules, and what stands before a member's name there.
    let family: String
    let under: String
    let members: [Member]
    private let places: [String: Int]
    /// For every numbered key the member's place, or -1.
    let slots: [Int16]

    init(_ part: ObjectPart, prefix: String, members: [Member], slots: [Int16]) {
      (self.part, self.prefix) = (part, prefix)
      (family, under) = part.rules
      (self.members, self.slots) = (members, slots)
      places = Dictionary(
        members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func slot(_ name: String) -> Int? { places[name] }
  }

  /// All keys; a key's number is its place here.
  let names: [String]
  let parts: [Part]

  static let shared = PartTable()

  private init() {
    var names = Self.structure
    func note<Model: FieldModel>(_ model: Model.Type) {
      for field in model.fields where !names.contains(field.name) { names.append(field.name) }
    }
    note(ResponseBodyV2DecodedPayload.self)
    note(NotificationData.self)
    note(JWSTransactionDecodedPayload.self)
    note(JWSRenewalInfoDecodedPayload.self)
    note(HistoryResponse.self)
    note(StatusResponse.self)
    note(SubscriptionGroupIdentifierItem.self)
    note(LastTransactionsItem.self)
    func part<Model: FieldModel>(
      _ part: ObjectPart, _ model: Model.Type, prefix: String
    ) -> Part {
      let members = model.fields.map(Self.member)
      let slots = names.map { name in Int16(members.firstIndex { $0.name == name } ?? -1) }
      return Part(part, prefix: prefix, members: members, slots: slots)
    }
    self.names = names
    parts = [
      part(.notification, ResponseBodyV2DecodedPayload.self, prefix: ""),
      part(.data, NotificationData.self, prefix: "data."),
      part(.transaction, JWSTransactionDecodedPayload.self, prefix: "data.transactionInfo."),
      part(.renewal, JWSRenewalInfoDecodedPayload.self, prefix: "data.renewalInfo."),
      part(.history, HistoryResponse.self, prefix: ""),
      part(.statuses, StatusResponse.self, prefix: ""),
      part(.group, SubscriptionGroupIdentifierItem.self, prefix: "data[*]."),
      part(.item, LastTransactionsItem.self, prefix: "data[*].lastTransactions[*]."),
    ]
  }

  private static func member<Model: FieldModel>(_ field: Field<Model>) -> Member {
    Member(field.name, field.kind) { element throws(FieldError) in
      var model = Model()
      try field.read(&model, .json(element))
      return field.value(model)
    }
  }

  /// Names that lead from one object to another; their numbers are fixed.
  enum Key {
    static let data: UInt16 = 0
    static let transactionInfo: UInt16 = 1
    static let renewalInfo: UInt16 = 2
    static let signedTransactionInfo: UInt16 = 3
    static let signedRenewalInfo: UInt16 = 4
    static let signedPayload: UInt16 = 5
    static let migration: UInt16 = 6
    static let transactions: UInt16 = 9
    static let signedTransactions: UInt16 = 10
    static let lastTransactions: UInt16 = 11
    static let transactionId: UInt16 = 12
    static let status: UInt16 = 13
    static let slipcast: UInt16 = 14
  }

  private static let structure = [
    "data", "transactionInfo", "renewalInfo", "signedTransactionInfo", "signedRenewalInfo", "signedPayload",
    "migration",
    "notificationType", "notificationUUID", "transactions", "signedTransactions", "lastTransactions", "transactionId",
    "status", "slipcast",
  ]

  func index(_ part: ObjectPart, _ name: String) -> Int? {
    parts[Int(part.rawValue)].slot(name).map { EventPart.index(part, $0) }
  }

  func member(_ index: Int) -> (part: Part, name: String) {
    let part = parts[index >> 6]
    return (part, part.members[index & 63].name)
  }

  func path(_ index: Int) -> String {
    let part = parts[index >> 6]
    return index & 63 < part.members.count ? part.prefix + part.members[index & 63].name : ""
  }
}
