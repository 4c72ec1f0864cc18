public import SlipcastWire

/// The response of Get Transaction History.
///
/// Source: App Store Server API, HistoryResponse.
public struct HistoryResponse: FieldModel {
  /// The environment of the transactions.
  public var environment: Open<Environment>?
  /// The app's bundle id.
  public var bundleId: String?
  /// The app's id in the App Store.
  public var appAppleId: Int64?
  /// Whether another page follows.
  public var hasMore: Bool?
  /// The transactions in plain JSON, for output that is not signed; Apple sends `signedTransactions`.
  public var transactions: [JWSTransactionDecodedPayload]?
  /// The token of the next page.
  public var revision: String?
  /// The transactions as JWS.
  public var signedTransactions: [String]?
  /// How Slipcast made this history from a legacy response; Apple never sends it.
  public var migration: Migration?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server API, HistoryResponse"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("environment", \.environment),
    .text("bundleId", \.bundleId),
    .integer64("appAppleId", \.appAppleId),
    .boolean("hasMore", \.hasMore).withoutColumn,
    .objects("transactions", \.transactions, in: "Slipcast: signedTransactions, decoded"),
    .text("revision", \.revision).withoutColumn,
    .texts("signedTransactions", \.signedTransactions)
      .decoded("transactions", JWSTransactionDecodedPayload.self),
    .object("migration", \.migration, in: "Slipcast: migration").withoutColumn,
  ]
}
