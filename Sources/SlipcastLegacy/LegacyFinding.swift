@_spi(Slipcast) public import SlipcastWire

/// A deviation of a readable legacy record from Apple's documents.
public enum LegacyDrift: UInt8, CaseIterable, Hashable, Sendable {
  /// A number or boolean where Apple sends a string, or the reverse.
  case unexpectedKind
  /// A value of a kind that cannot be read here: a boolean as an identifier, a string for a list.
  case unusableKind
  /// A string or an object is empty; it counts as absent.
  case emptyValue
  /// A JSON null; it counts as absent.
  case nullValue
  /// A flag in one of the other forms: `"true"`, `"1"`, `1`, `true`.
  case flagSpelling
  /// A flag that is neither on nor off.
  case unreadableFlag
  /// The same key occurs twice in one object; the last one counts.
  case duplicateKey
  /// A key that Apple does not document here.
  case unrecognizedKey
  /// A text date in neither of the two spellings.
  case malformedDate
  /// A date in a form that Apple does not use there: ISO 8601 with a zone, or milliseconds under another name.
  case dateSpelling
  /// A date that differs from a better spelling of it: the `_ms` field, else the text in Etc/GMT.
  case dateMismatch
  /// The `_ms` field is missing; the instant was read from a text date.
  case millisecondsMissing
  /// The `_ms` field is missing and only the Pacific text is left.
  case pacificDateOnly
  /// Only a Pacific text is left, in the hour that occurs twice when daylight saving time ends.
  case repeatedHour
  /// Only a Pacific text is left, in the hour that daylight saving time skips when it begins.
  case skippedHour
  /// An identifier that is not all decimal digits.
  case identifierSpelling
  /// An identifier as a JSON number with a fraction of zeros.
  case identifierFraction
  /// The line item 0, which app receipts have for purchases without one.
  case zeroLineItem
  /// A number that cannot be read or is out of range, or an identifier as a JSON number that is not whole.
  case unreadableNumber
  /// An object where Apple sends an array of objects, or the reverse.
  case objectForArray
  /// A key of another object of the record.
  case misplacedKey
  /// `unified_receipt.status` is `"OK"`, as in bodies of 2019-11 to 2020-01.
  case statusWord
  /// A date before 2001 or after 2286: seconds, or a zero, instead of milliseconds, or the year 4001 for never.
  case implausibleDate
  /// An object or a list is JSON inside a text.
  case textForContainer
  /// An element of a list is null or an empty object: what it was is unknown.
  case emptyElement
  /// `latest_expired_receipt_info` next to `latest_receipt_info`: Apple sends one of the two.
  case expiredInfoUnused
  /// The record is a part of an answer: a transaction, a list of them, or a receipt without the answer around it.
  case partialAnswer

  /// The drift in a sentence.
  public var message: String {
    switch self {
    case .unexpectedKind: "another kind of JSON value than Apple sends here; read all the same"
    case .emptyValue: "an empty string or object; counts as absent"
    case .nullValue: "null; counts as absent"
    case .unusableKind: "a value of another kind than Apple sends here, which cannot be read; not used"
    case .flagSpelling: "another spelling of this flag than Apple documents here; read all the same"
    case .unreadableFlag: "a flag that is neither true nor false; not used"
    case .duplicateKey: "this object has a key twice; the last one counts"
    case .unrecognizedKey: "a key that Apple does not document here"
    case .malformedDate: "a date in a format that Apple does not use; ignored"
    case .dateSpelling: "a date in a format that Apple does not use here; read all the same"
    case .dateMismatch:
      "this date differs from a better spelling next to it, the _ms field or else the text in Etc/GMT, which is used"
    case .millisecondsMissing: "the _ms field is missing; the instant was read from this text date"
    case .pacificDateOnly: "only the Pacific text date is left; the instant was read from it with daylight saving time"
    case .repeatedHour:
      "only this Pacific text is left, in the hour that occurs twice in autumn; read as daylight saving time"
    case .skippedHour:
      "only this Pacific text is left, in the hour that clocks skip in spring; read as Pacific Standard Time"
    case .identifierSpelling: "an identifier that is not all decimal digits; kept as it is"
    case .identifierFraction: "an identifier as a number with a fraction of zeros; the whole number is used"
    case .zeroLineItem: "the line item 0, which stands for no line item; counts as absent"
    case .unreadableNumber: "a number that cannot be read or is out of range; not used"
    case .objectForArray: "one object where Apple sends an array, or the reverse; read all the same"
    case .misplacedKey: "a key that belongs to another object of the record; read from here"
    case .statusWord: "the word OK instead of 0, as in bodies of 2019-11 to 2020-01"
    case .textForContainer: "JSON inside a text where Apple sends an object or an array; read all the same"
    case .emptyElement: "an empty element of a list; what it was is unknown"
    case .expiredInfoUnused: "not read: latest_receipt_info counts, of which Apple sends no second one"
    case .partialAnswer:
      "a part of a verifyReceipt response; what else the answer said, its status and its other purchases, is unknown"
    case .implausibleDate:
      "a date before 2001 or after 2286: perhaps seconds or a zero where milliseconds belong, or a stand-in for never"
    }
  }

  package var code: String { Self.codes[Int(rawValue)] }

  /// The names of all cases, in their order: reflection would take a hundredth of the instructions of a start.
  private static let codes = [
    "unexpectedKind", "unusableKind", "emptyValue", "nullValue", "flagSpelling", "unreadableFlag", "duplicateKey",
    "unrecognizedKey", "malformedDate", "dateSpelling", "dateMismatch", "millisecondsMissing", "pacificDateOnly",
    "repeatedHour", "skippedHour", "identifierSpelling", "identifierFraction", "zeroLineItem", "unreadableNumber",
    "objectForArray", "misplacedKey", "statusWord", "implausibleDate", "textForContainer", "emptyElement",
    "expiredInfoUnused", "partialAnswer",
  ]

  /// True when a person should see it; false when it only needs a count.
  public var isWarning: Bool {
    switch self {
    case .duplicateKey, .malformedDate, .dateMismatch, .pacificDateOnly, .implausibleDate: true
    case .unusableKind, .unreadableFlag, .unreadableNumber, .repeatedHour, .skippedHour, .emptyElement: true
    case .expiredInfoUnused, .partialAnswer: true
    default: false
    }
  }

  /// The instant that was read from the text may be an hour off.
  package var isUnclearHour: Bool { self == .repeatedHour || self == .skippedHour }

  /// The value, or a part of it, cannot be read.
  package var isUnreadable: Bool {
    switch self {
    case .unusableKind, .unreadableNumber, .unreadableFlag, .malformedDate, .emptyElement: true
    default: false
    }
  }
}

/// A drift and the position of the value that shows it.
@_spi(Slipcast) public struct LegacyFinding {
  /// The kind of deviation.
  public let drift: LegacyDrift
  /// The index of the value on the tape.
  public let index: UInt32

  package init(_ drift: LegacyDrift, _ index: Int) {
    self.drift = drift
    self.index = UInt32(truncatingIfNeeded: index)
  }
}

/// Why a legacy record cannot be read at all.
///
/// The description never shows a value of the record.
public struct LegacyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason.
  public enum Reason: Hashable, Sendable {
    /// A value of another kind than the record cannot do without.
    case wrongKind(expected: String, found: String)
    /// A key that the record cannot do without is missing.
    case missing(expected: String)
    /// The record is of a kind that is not legacy.
    case otherFormat(found: String)
    /// Not a known record.
    case unknownRecord
    /// A known object of other programs: what it is, and what to do.
    case foreignRecord(found: String)
    /// A notification without any transaction.
    case noContent
    /// An app receipt or an iOS 6 receipt, which is not JSON.
    case receipt
  }

  /// The reason.
  public var reason: Reason
  /// Where; the empty path is the record itself.
  public var path: JSONPath
  /// Bytes from the start of the record.
  public var offset: Int

  package init(reason: Reason, path: JSONPath, offset: Int) {
    self.reason = reason
    self.path = path
    self.offset = offset
  }

  // A switch: asked for every reject, and the name of a case by reflection takes five times as long as all the rest.
  /// The reason as one word for programs.
  public var code: String {
    switch reason {
    case .wrongKind: "wrongKind"
    case .missing: "missing"
    case .otherFormat, .receipt: "otherFormat"
    case .unknownRecord, .foreignRecord: "unknownRecord"
    case .noContent: "noContent"
    }
  }

  /// One line: where, what was expected, what was found, what to do.
  public var description: String { path.place(at: offset) + message }

  /// What was expected, what was found, what to do, without the place.
  package var message: String {
    switch reason {
    case .wrongKind(let expected, "string") where path.description == "receipt":
      "expected \(expected), found string; a receipt in base64 is itself the record, which the command reads with --body /receipt"
    case .wrongKind(let expected, let found): "expected \(expected), found \(found)"
    case .missing(let expected): "expected \(expected), found nothing of that name"
    case .otherFormat(let found): "expected a legacy record, found \(found); it needs no conversion"
    case .foreignRecord(let found): "expected a version 1 notification or a verifyReceipt response, found \(found)"
    case .unknownRecord:
      "expected a version 1 notification (notification_type) or a verifyReceipt response (receipt, latest_receipt_info "
        + "or an error status), found an object with neither; if it is a row, convert the record in it (command: --body)"
    case .noContent:
      "expected unified_receipt, latest_receipt_info or original_transaction_id next to notification_type, found none"
    case .receipt: "expected JSON, found a receipt; import SlipcastReceipts and call convert(receipt:)"
    }
  }
}
