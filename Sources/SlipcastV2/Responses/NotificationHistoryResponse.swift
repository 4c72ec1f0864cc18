public import SlipcastWire

/// The response of Get Notification History.
///
/// Source: App Store Server API, NotificationHistoryResponse.
public struct NotificationHistoryResponse: FieldModel {
  /// The token of the next page.
  public var paginationToken: String?
  /// Whether another page follows.
  public var hasMore: Bool?
  /// The notifications.
  public var notificationHistory: [NotificationHistoryResponseItem]?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's name of the object.
  public static let modelName = "NotificationHistoryResponse"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("paginationToken", in: page, { $0.paginationToken }, { $0.paginationToken = $1 }),
    .boolean("hasMore", in: page, { $0.hasMore }, { $0.hasMore = $1 }),
    .objects("notificationHistory", in: page, { $0.notificationHistory }, { $0.notificationHistory = $1 }),
  ]

  private static let page = "App Store Server API, NotificationHistoryResponse"
}

/// One notification of the history.
///
/// Source: App Store Server API, notificationHistoryResponseItem.
public struct NotificationHistoryResponseItem: FieldModel {
  /// The notification as a JWS.
  public var signedPayload: String?
  /// The attempts to deliver it.
  public var sendAttempts: [SendAttemptItem]?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's name of the object.
  public static let modelName = "notificationHistoryResponseItem"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("signedPayload", in: page, { $0.signedPayload }, { $0.signedPayload = $1 }),
    .objects("sendAttempts", in: page, { $0.sendAttempts }, { $0.sendAttempts = $1 }),
  ]

  private static let page = "App Store Server API, notificationHistoryResponseItem"
}

/// One attempt to deliver a notification.
///
/// Source: App Store Server API, sendAttemptItem.
public struct SendAttemptItem: FieldModel {
  /// When the App Store tried.
  public var attemptDate: Timestamp?
  /// The result of the attempt.
  public var sendAttemptResult: Open<SendAttemptResult>?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's name of the object.
  public static let modelName = "sendAttemptItem"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .milliseconds("attemptDate", in: page, { $0.attemptDate }, { $0.attemptDate = $1 }),
    .word(
      "sendAttemptResult", in: page, of: "sendAttemptResult", { $0.sendAttemptResult }, { $0.sendAttemptResult = $1 }),
  ]

  private static let page = "App Store Server API, sendAttemptItem"
}
