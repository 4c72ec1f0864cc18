public import SlipcastWire

/// A version 2 notification: what happened, and to what.
///
/// At most one of `data`, `summary`, `externalPurchaseToken` and `appData` is present; `unclaimInfo` probably excludes
/// the others too.
///
/// Source: App Store Server Notifications, responseBodyV2DecodedPayload.
public struct ResponseBodyV2DecodedPayload: FieldModel {
  /// What happened.
  public var notificationType: Open<NotificationType>?
  /// The detail of what happened; absent for many types.
  public var subtype: Open<Subtype>?
  /// Names the notification; the same when it is sent again.
  public var notificationUUID: String?
  /// The version of the format, `2.0`.
  public var version: String?
  /// When the App Store signed the notification.
  public var signedDate: Timestamp?
  /// The app and the purchase that the notification is about.
  public var data: NotificationData?
  /// The result of an extension for all subscribers.
  public var summary: Summary?
  /// The external purchase token that the notification is about.
  public var externalPurchaseToken: ExternalPurchaseToken?
  /// The app and the app transaction that the notification is about.
  public var appData: AppData?
  /// The claims to seats that the App Store released.
  public var unclaimInfo: UnclaimInfo?
  /// How Slipcast made this notification from a legacy one; Apple never sends it.
  public var migration: Migration?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's name of the object.
  public static let modelName = "responseBodyV2DecodedPayload"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("notificationType", in: page, of: "notificationType", { $0.notificationType }, { $0.notificationType = $1 }),
    .word("subtype", in: page, of: "subtype", { $0.subtype }, { $0.subtype = $1 }),
    .text("notificationUUID", in: page, { $0.notificationUUID }, { $0.notificationUUID = $1 }),
    .text("version", in: page, { $0.version }, { $0.version = $1 }),
    .milliseconds("signedDate", in: page, { $0.signedDate }, { $0.signedDate = $1 }),
    .object("data", in: page, { $0.data }, { $0.data = $1 }),
    .object("summary", in: page, { $0.summary }, { $0.summary = $1 }),
    .object("externalPurchaseToken", in: page, { $0.externalPurchaseToken }, { $0.externalPurchaseToken = $1 }),
    .object("appData", in: page, { $0.appData }, { $0.appData = $1 }),
    .object("unclaimInfo", in: page, { $0.unclaimInfo }, { $0.unclaimInfo = $1 }),
    .object("migration", in: "Slipcast: migration", { $0.migration }, { $0.migration = $1 }),
  ]

  private static let page = "App Store Server Notifications, responseBodyV2DecodedPayload"
}
