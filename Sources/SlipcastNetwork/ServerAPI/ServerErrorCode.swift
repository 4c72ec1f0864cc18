/// An error code of the App Store Server API.
///
/// Source: Apple, "Error codes" of the App Store Server API, and its server libraries.
public enum ServerErrorCode: Int64, CaseIterable, Hashable, Sendable {
  case generalBadRequest = 4_000_000
  case invalidAppIdentifier = 4_000_002
  case invalidRequestRevision = 4_000_005
  case invalidTransactionId = 4_000_006
  case invalidOriginalTransactionId = 4_000_008
  case startDateTooFarInPast = 4_000_012
  case startDateAfterEndDate = 4_000_013
  case invalidPaginationToken = 4_000_014
  case invalidStartDate = 4_000_015
  case invalidEndDate = 4_000_016
  case paginationTokenExpired = 4_000_017
  case invalidNotificationType = 4_000_018
  case multipleFiltersSupplied = 4_000_019
  case invalidTestNotificationToken = 4_000_020
  case invalidSort = 4_000_021
  case invalidProductType = 4_000_022
  case invalidProductId = 4_000_023
  case invalidSubscriptionGroupIdentifier = 4_000_024
  case invalidExcludeRevoked = 4_000_025
  case invalidInAppOwnershipType = 4_000_026
  case invalidRevoked = 4_000_030
  case invalidStatus = 4_000_031
  case appTransactionIdNotSupported = 4_000_048
  case accountNotFound = 4_040_001
  case accountNotFoundRetryable = 4_040_002
  case appNotFound = 4_040_003
  case appNotFoundRetryable = 4_040_004
  case originalTransactionIdNotFound = 4_040_005
  case originalTransactionIdNotFoundRetryable = 4_040_006
  case serverNotificationURLNotFound = 4_040_007
  case testNotificationNotFound = 4_040_008
  case transactionIdNotFound = 4_040_010
  case appTransactionDoesNotExist = 4_040_019
  case rateLimitExceeded = 4_290_000
  case generalInternal = 5_000_000
  case generalInternalRetryable = 5_000_001

  /// Apple recommends to send the request again.
  public var isRetryable: Bool {
    [
      .accountNotFoundRetryable, .appNotFoundRetryable, .originalTransactionIdNotFoundRetryable, .generalInternal,
      .generalInternalRetryable, .rateLimitExceeded,
    ].contains(self)
  }
}
