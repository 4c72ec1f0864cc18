@_spi(Slipcast) internal import SlipcastWire

/// What the names of an object's members speak for.
struct V2Marks: OptionSet {
  let rawValue: UInt32

  // Each of these names is of one kind of record only.
  static let signedPayload = V2Marks(rawValue: 1 << 0)
  static let legacy = V2Marks(rawValue: 1 << 1)
  static let legacyInCamelCase = V2Marks(rawValue: 1 << 2)
  static let notification = V2Marks(rawValue: 1 << 3)
  static let page = V2Marks(rawValue: 1 << 4)
  static let history = V2Marks(rawValue: 1 << 5)
  static let parts = V2Marks(rawValue: 1 << 6)
  static let group = V2Marks(rawValue: 1 << 7)
  // Names that other programs use too: one of `common` next to them shows that the object is Apple's.
  /// Also of V2, in columns with underscores.
  static let legacyType = V2Marks(rawValue: 1 << 8)
  static let data = V2Marks(rawValue: 1 << 9)
  static let groups = V2Marks(rawValue: 1 << 10)
  static let transactions = V2Marks(rawValue: 1 << 11)
  /// What a notification is about, besides a purchase.
  static let subject = V2Marks(rawValue: 1 << 12)
  static let appTransaction = V2Marks(rawValue: 1 << 13)
  static let renewal = V2Marks(rawValue: 1 << 14)
  static let transaction = V2Marks(rawValue: 1 << 15)
  /// Members that several of Apple's objects have, and objects of other programs do not.
  static let common = V2Marks(rawValue: 1 << 16)
  static let signedDate = V2Marks(rawValue: 1 << 17)
  // Ways of writing V2 records that Apple does not have.
  static let sibling = V2Marks(rawValue: 1 << 18)
  static let underscores = V2Marks(rawValue: 1 << 19)
  /// A decoded object under the name of a signed text, an object as JSON in a text, a name with a dot.
  static let other = V2Marks(rawValue: 1 << 20)

  static let lists: V2Marks = [.page, .history, .transactions, .groups]
  static let drifts: V2Marks = [.sibling, .underscores, .other]

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The marks of all members; none for what is not an object.
  init(_ tape: JSONTape, _ object: Int) {
    self = []
    guard tape[object].kind == .object else { return }
    for member in tape.children(of: object) {
      let name = tape.key(member)
      // Null counts as absent; only what should be signed has to be.
      guard name.count < Self.byLength.count, tape[member].kind != .null || name == "signedPayload" else { continue }
      for (known, marks) in Self.byLength[name.count] where name == known {
        formUnion(Self.marks(marks, of: tape[member].kind, tape, member))
      }
      if name.count > 5, name[4] == UInt8(ascii: "."), name.part(0..<4) == "data" { insert([.other, .data]) }
    }
  }

  /// The marks of a name as far as its value agrees.
  private static func marks(_ marks: V2Marks, of kind: JSONKind, _ tape: JSONTape, _ member: Int) -> V2Marks {
    switch marks {
    // Google Play has numbers there.
    case .notification: return kind == .string ? marks : []
    case .page: return kind == .array ? marks : []
    case .sibling:
      return kind == .object ? [.sibling] : kind == .string && isObject(tape, member) ? [.sibling, .other] : []
    case .data:
      return kind == .object
        ? .data : kind == .array ? .groups : kind == .string && isObject(tape, member) ? [.data, .other] : []
    case .transactions: return kind == .array ? marks : []
    case .history:
      let isDecoded = kind == .array && tape.children(of: member).contains { tape[$0].kind == .object }
      return isDecoded ? [.history, .other] : marks
    case [.parts, .other], [.signedPayload, .other]:
      let isDecoded = kind == .object || kind == .string && isObject(tape, member)
      return isDecoded ? marks : marks.subtracting(.other)
    case [.parts, .common]: return kind == .string && isObject(tape, member) ? [.parts, .other] : .parts
    case .subject: return kind == .object ? marks : []
    default: return marks
    }
  }

  /// A text begins like a JSON object.
  private static func isObject(_ tape: JSONTape, _ member: Int) -> Bool {
    tape.text(member).buffer.first { !$0.isBlank } == UInt8(ascii: "{")
  }

  private static let names: [(StaticString, V2Marks)] = [
    ("signedPayload", [.signedPayload, .other]), ("signed_payload", [.signedPayload, .underscores]),
    ("notification_type", .legacyType), ("unified_receipt", .legacy), ("latest_receipt_info", .legacy),
    ("latest_expired_receipt_info", .legacy), ("receipt", .legacy), ("receipt-data", .legacy), ("in_app", .legacy),
    ("purchase_date_ms", .legacy), ("original_purchase_date_ms", .legacy),
    ("unifiedReceipt", .legacyInCamelCase), ("latestReceiptInfo", .legacyInCamelCase),
    ("notificationType", .notification), ("notificationUUID", .notification),
    ("notification_uuid", .underscores), ("signed_date", .underscores), ("notification", .sibling), ("data", .data),
    ("summary", .subject), ("externalPurchaseToken", .subject), ("appData", .subject), ("unclaimInfo", .subject),
    ("notificationHistory", .page),
    ("signedTransactions", .history), ("hasMore", .history), ("transactions", .transactions),
    ("signedTransactionInfo", [.parts, .other]), ("signedRenewalInfo", [.parts, .other]),
    ("signedAppTransactionInfo", [.parts, .other]),
    ("transactionInfo", [.parts, .common]), ("renewalInfo", [.parts, .common]), ("appTransactionInfo", .parts),
    ("signed_transaction_info", [.parts, .underscores]), ("signed_renewal_info", [.parts, .underscores]),
    ("lastTransactions", .group), ("subscriptionGroupIdentifier", [.group, .common]),
    ("receiptType", .appTransaction), ("receiptCreationDate", .appTransaction),
    ("originalApplicationVersion", .appTransaction), ("applicationVersion", .appTransaction),
    ("autoRenewProductId", .renewal), ("autoRenewStatus", .renewal),
    ("transactionId", .transaction), ("purchaseDate", .transaction),
    ("signedDate", [.signedDate, .common]), ("bundleId", .common), ("appAppleId", .common),
    ("originalTransactionId", .common), ("originalPurchaseDate", .common), ("webOrderLineItemId", .common),
    ("inAppOwnershipType", .common), ("environment", .common), ("revision", .common), ("expiresDate", .common),
    ("recentSubscriptionStartDate", .common), ("renewalDate", .common), ("receiptCreationDate", .common),
    ("migration", .common), ("slipcast", .common),
  ]

  /// By the length of the name: most names are compared with few others.
  private static let byLength = {
    var lists = [[(StaticString, V2Marks)]](repeating: [], count: 28)
    for name in names { lists[name.0.utf8CodeUnitCount].append(name) }
    return lists
  }()
}
