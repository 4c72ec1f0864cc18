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

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, responseBodyV2DecodedPayload"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("notificationType", \.notificationType),
    .word("subtype", \.subtype),
    .text("notificationUUID", \.notificationUUID),
    .text("version", \.version),
    .milliseconds("signedDate", \.signedDate),
    .object("data", \.data),
    .object("summary", \.summary),
    .object("externalPurchaseToken", \.externalPurchaseToken),
    .object("appData", \.appData),
    .object("unclaimInfo", \.unclaimInfo).withRulesInside,
    .object("migration", \.migration, in: "Slipcast: migration").withoutColumn,
  ]
}
