public import SlipcastWire

/// Why a record cannot be signed.
public struct SigningError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One way to fail.
  public enum Reason: Hashable, Sendable {
    /// The text is not JSON.
    case json(JSONError)
    /// It is already signed: a signature where decoded JSON is expected.
    case alreadySigned
    /// It is a version 1 record.
    case legacy
    /// It is not a known V2 record; its kind, in words.
    case unknownForm(found: String)
    /// A member contains another kind of value than in a V2 record.
    case wrongKind(expected: String, found: String)
    /// It has a member of the name of the app's shared secret, which no V2 record has.
    case secret
    /// It contains no time of signing and no time of an event in the past.
    case dateMissing
    /// The date of the signature is not a number of milliseconds.
    case dateUnreadable(found: String)
    /// OpenSSL could not sign.
    case cryptography(detail: String?)
  }

  /// The reason.
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
    case .secret: "secret"
    case .dateMissing: "dateMissing"
    case .dateUnreadable: "dateUnreadable"
    case .cryptography: "cryptography"
    }
  }

  /// One line: where, what was expected, what was found, what to do.
  public var description: String { path.place(at: offset) + message }

  /// What was expected, what was found, what to do, without the place.
  package var message: String {
    switch reason {
    case .json(let error): error.message
    case .alreadySigned: "expected decoded JSON, found something signed; only decoded records are signed"
    case .legacy: "expected a version 2 record, found a version 1 record; convert it first (command: convert --sign)"
    case .unknownForm(let found):
      "expected a version 2 notification, history, statuses, transaction, renewal info or app transaction, found "
        + found
    case .wrongKind(let expected, let found): "expected \(expected), found \(found)"
    case .secret:
      "expected no member of this name, which holds the shared secret in V1; remove it, so that it is not published"
    case .dateMissing:
      "expected a signedDate, or a date of the past to use in its place, found none; its certificates would be judged "
        + "by it"
    case .dateUnreadable(let found): "expected a date in milliseconds since 1970, found \(found)"
    case .cryptography(let detail): "OpenSSL could not sign" + (detail.map { ": \($0)" } ?? "")
    }
  }
}
