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

  /// Apple's document of the object.
  public static let document = "App Store Server API, NotificationHistoryResponse"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("paginationToken", \.paginationToken),
    .boolean("hasMore", \.hasMore),
    .objects("notificationHistory", \.notificationHistory),
  ]
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

  /// Apple's document of the object.
  public static let document = "App Store Server API, notificationHistoryResponseItem"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("signedPayload", \.signedPayload).decoded("payload", ResponseBodyV2DecodedPayload.self),
    .objects("sendAttempts", \.sendAttempts),
  ]
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

  /// Apple's document of the object.
  public static let document = "App Store Server API, sendAttemptItem"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .milliseconds("attemptDate", \.attemptDate),
    .word("sendAttemptResult", \.sendAttemptResult),
  ]
}
