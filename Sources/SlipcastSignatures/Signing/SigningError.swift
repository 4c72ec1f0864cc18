public import SlipcastWire

/// Why a record cannot be signed.
public struct SigningError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One way to fail.
  public enum Reason: Hashable, Sendable {
    /// The text is no JSON.
    case json(JSONError)
    /// It is signed already: a signature stands where decoded JSON is expected.
    case alreadySigned
    /// It is a version 1 record.
    case legacy
    /// It is no version 2 record that is known; what it is, in words.
    case unknownForm(found: String)
    /// A member holds another kind of value than a version 2 record has there.
    case wrongKind(expected: String, found: String)
    /// Nothing tells when it was signed, and nothing when it happened.
    case dateMissing
    /// The date of the signature is no number of milliseconds.
    case dateUnreadable(found: String)
    /// OpenSSL could not sign.
    case cryptography(detail: String?)
  }

  /// What is wrong.
  public var reason: Reason
  /// The value at fault; empty for the record itself.
  public var path: JSONPath
  /// Bytes from the start of the record.
  public var offset: Int

  package init(_ reason: Reason, path: JSONPath = JSONPath(), offset: Int = 0) {
    (self.reason, self.path, self.offset) = (reason, path, offset)
  }

  /// The reason as one word for programs.
  public var code: String {
    switch reason {
    case .json(let error): error.code
    case .alreadySigned: "alreadySigned"
    case .legacy: "legacy"
    case .unknownForm: "unknownForm"
    case .wrongKind: "wrongKind"
    case .dateMissing: "dateMissing"
    case .dateUnreadable: "dateUnreadable"
    case .cryptography: "cryptography"
    }
  }

  /// One line: what was expected, what stood there, what to do.
  public var description: String {
    switch reason {
    case .json(let error): error.description
    case .alreadySigned: "expected decoded JSON, found something signed; only decoded records are signed"
    case .legacy: "expected a version 2 record, found a version 1 one; slipcast convert --sign casts and signs it"
    case .unknownForm(let found):
      "expected a version 2 notification, history, statuses, transaction, renewal info or app transaction, found "
        + found
    case .wrongKind(let expected, let found): "expected \(expected), found \(found)"
    case .dateMissing:
      "expected a signedDate, or a date from which to take it, found none; its certificates would be judged by it"
    case .dateUnreadable(let found): "expected a date in milliseconds since 1970, found \(found)"
    case .cryptography(let detail): "OpenSSL could not sign" + (detail.map { ": \($0)" } ?? "")
    }
  }
}
