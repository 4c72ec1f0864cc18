public import SlipcastLegacy
public import SlipcastMapping
public import SlipcastWire

/// Why two records cannot be compared.
///
/// The description never shows a value of the records.
public struct ComparisonError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which of the two records is meant.
  public enum Side: String, Hashable, Sendable {
    /// The first one.
    case legacy
    /// The second one.
    case server
  }

  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// It is not JSON.
    case json(JSONError)
    /// It is not a legacy record either.
    case legacy(LegacyError)
    /// The legacy record cannot become what the second record is.
    case conversion(ConversionError)
    /// A V2 member is of another kind than Apple documents.
    case field(FieldError)
    /// A member should hold a signed payload, and does not; with what stood there.
    case notSigned(found: String)
    /// It is compressed or encoded; with what was found, and a shell command that unwraps `FILE`.
    case wrapped(found: String, command: String)
    /// It is JSON, but nothing that can be compared; with what was found.
    case unknownForm(found: String)
    /// The second record is a version 1 record.
    case legacyAsServer
    /// The two are of kinds that cannot be compared.
    case kindsDiffer(legacy: String, server: String)
    /// It is a part of something that the legacy record does not have.
    case unlisted
    /// It holds more than one record.
    case severalRecords
  }

  /// Which record.
  public var side: Side
  /// What is wrong.
  public var reason: Reason
  /// The value at fault; empty for the record itself.
  public var path: JSONPath
  /// Bytes from the start of the file, or of the decoded payload.
  public var offset: Int
  /// The fault is in a payload that was decoded from base64url.
  public var isInPayload = false

  init(_ side: Side, _ reason: Reason, path: JSONPath = JSONPath(), offset: Int = 0) {
    (self.side, self.reason, self.path, self.offset) = (side, reason, path, offset)
  }

  /// One line: where, what was expected, what was found, what to do.
  public var description: String { (isInPayload || offset == 0 ? "" : "byte \(offset): ") + message }

  /// What follows `place(in:)`, which has the byte of a fault in the record itself.
  package var message: String {
    payloadPlace + (path.steps.isEmpty ? "" : "\(path): ") + sentence
  }

  /// The message without the path, where that is printed before it.
  package var messageAtPath: String { payloadPlace + sentence }

  private var payloadPlace: String { isInPayload ? "in the decoded payload, byte \(offset): " : "" }

  /// The message of `convert`: a version 2 record may take the place of a legacy one only where two are compared.
  package var messageOfConversion: String { if case .legacy(let error) = reason { error.message } else { message } }

  /// The reason as one word for programs.
  package var code: String {
    switch reason {
    case .json(let error): error.code
    case .legacy(let error): error.code
    case .conversion(let error): error.code
    case .field: "wrongKind"
    case .notSigned: "notSigned"
    case .wrapped: "wrapped"
    case .unknownForm: "unknownRecord"
    case .legacyAsServer: "legacyAsServer"
    case .kindsDiffer: "kindsDiffer"
    case .unlisted: "unlisted"
    case .severalRecords: "severalRecords"
    }
  }

  private var sentence: String {
    switch reason {
    case .json(let error): error.message
    case .legacy(let error) where error.reason == .unknownRecord:
      "expected a legacy record (a version 1 notification or a verifyReceipt response) or a version 2 record, found another "
        + "object; extract a record inside a row first"
    case .legacy(let error): "expected a legacy record or a version 2 record; as a legacy record: \(error.message)"
    case .conversion(let error): error.message
    case .field(let error): "expected \(error.expected), found \(error.found)"
    case .notSigned(let found):
      "expected a signed payload (header.payload.signature in base64url), found \(found)"
    case .wrapped(let found, let command):
      "expected JSON, found \(found); unwrap the record first: \(command)"
    case .unknownForm(let found):
      "expected a version 2 notification, history or status answer, transaction or renewal info, decoded or signed; "
        + "found \(found)"
    case .legacyAsServer:
      "expected a version 2 record, found a version 1 record; if the two are swapped, the legacy record comes first"
    case .kindsDiffer(let legacy, let server):
      "a \(legacy) and a \(server) cannot be compared; compare notifications with notifications, a verifyReceipt "
        + "answer with a history or statuses"
    case .unlisted:
      "the legacy record has no such transaction or subscription (webOrderLineItemId, transactionId, "
        + "originalTransactionId); nothing could be compared"
    case .severalRecords: "expected one record, found several; diff compares one pair"
    }
  }
}
