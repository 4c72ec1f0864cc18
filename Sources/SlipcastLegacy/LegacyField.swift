/// The documented kind of a legacy field; a value in another form is read too and reported.
public enum LegacyKind: UInt8, Hashable, Sendable {
  /// Any string.
  case text
  /// A string of decimal digits: an identifier that may exceed 2^53.
  case identifier
  /// A whole number, as a JSON number or as a string of digits: Apple's pages and bodies have both.
  case eitherNumber
  /// An identifier, as a JSON number or as a string of decimal digits.
  case eitherIdentifier
  /// A string of decimal digits that is a small number.
  case integer
  /// A JSON number.
  case number
  /// Milliseconds since 1970 UTC as a string of decimal digits.
  case milliseconds
  /// `yyyy-MM-dd HH:mm:ss Etc/GMT`, a second spelling of the `_ms` field.
  case greenwich
  /// `yyyy-MM-dd HH:mm:ss America/Los_Angeles`, a third spelling: Pacific wall time with daylight saving.
  case pacific
  /// Milliseconds since 1970 UTC, or the text spelling: the same name means both in different objects.
  case millisecondsOrGreenwich
  /// `"true"` or `"false"`.
  case flagWord
  /// `"1"` or `"0"`.
  case flagDigit
  /// A JSON boolean.
  case boolean
  /// A string holding a UUID.
  case uuid
  /// An object.
  case object
  /// An array of objects, or one object.
  case objects
  /// The shared secret: never read, never repeated.
  case secret
}

/// One line of a legacy object's field table.
public struct LegacyField: Hashable, Sendable {
  /// The JSON key.
  public let key: LegacyKey
  /// The kind that Apple documents or sends.
  public let kind: LegacyKind

  init(_ key: LegacyKey, _ kind: LegacyKind) {
    self.key = key
    self.kind = kind
  }
}

/// The objects of the legacy formats.
public enum LegacyScope: String, CaseIterable, Hashable, Sendable {
  /// The body of a version 1 notification.
  case responseBodyV1
  /// Its `unified_receipt`.
  case unified_receipt
  /// A transaction: an entry of `latest_receipt_info` or `in_app`, or the flat object from before March 2021.
  case latest_receipt_info
  /// A renewal: an entry of `pending_renewal_info`.
  case pending_renewal_info
  /// A verifyReceipt response.
  case verifyReceipt
  /// Its `receipt`.
  case receipt
}
