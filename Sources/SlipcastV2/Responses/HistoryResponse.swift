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

  /// Apple's name of the object.
  public static let modelName = "HistoryResponse"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("environment", in: page, of: "environment", { $0.environment }, { $0.environment = $1 }),
    .text("bundleId", in: page, { $0.bundleId }, { $0.bundleId = $1 }),
    .integer64("appAppleId", in: page, { $0.appAppleId }, { $0.appAppleId = $1 }),
    .boolean("hasMore", in: page, { $0.hasMore }, { $0.hasMore = $1 }),
    .objects(
      "transactions", in: "Slipcast: signedTransactions, decoded", { $0.transactions }, { $0.transactions = $1 }),
    .text("revision", in: page, { $0.revision }, { $0.revision = $1 }),
    .texts("signedTransactions", in: page, { $0.signedTransactions }, { $0.signedTransactions = $1 }),
    .object("migration", in: "Slipcast: migration", { $0.migration }, { $0.migration = $1 }),
  ]

  private static let page = "App Store Server API, HistoryResponse"
}
