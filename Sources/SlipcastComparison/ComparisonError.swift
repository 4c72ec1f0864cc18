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
    /// It is no JSON.
    case json(JSONError)
    /// A V2 member is of another kind than Apple documents.
    case field(FieldError)
    /// A member should hold a signed payload, and does not.
    case notSigned
    /// It is JSON, but nothing that can be compared; with what was found.
    case unknownForm(found: String)
    /// The second record is a version 1 record.
    case legacyAsServer
    /// The two are of kinds that tell different things.
    case kindsDiffer(legacy: String, server: String)
    /// It holds more than one record.
    case severalRecords
  }

  /// Which record.
  public var side: Side
  /// What is wrong.
  public var reason: Reason
  /// The value at fault; empty for the record itself.
  public var path: JSONPath
  /// Bytes from the start of the JSON text that was read.
  public var offset: Int

  init(_ side: Side, _ reason: Reason, path: JSONPath = JSONPath(), offset: Int = 0) {
    (self.side, self.reason, self.path, self.offset) = (side, reason, path, offset)
  }

  /// One line: what was expected, what stood there, what to do.
  public var description: String {
    let place = path.steps.isEmpty ? "" : "\(path): "
    return switch reason {
    case .json(let error): "byte \(error.offset): \(error)"
    case .field(let error): "\(error)"
    case .notSigned:
      place + "expected a signed payload (header.payload.signature in base64url), found another text"
    case .unknownForm(let found):
      "expected a version 2 notification, history or status answer, transaction or renewal info, decoded or signed; "
        + "found \(found)"
    case .legacyAsServer:
      "expected a version 2 record, found a version 1 record; the legacy record comes first: diff LEGACY SERVER"
    case .kindsDiffer(let legacy, let server): "a \(legacy) and a \(server) tell different things"
    case .severalRecords: "expected one record, found several; diff compares one pair"
    }
  }
}
