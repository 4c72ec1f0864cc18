public import SlipcastLegacy
public import SlipcastWire

/// Why a legacy record cannot be converted, with its position; no case shows a value of the record.
public enum RecordError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Broken JSON, or a text above the limits.
  case json(JSONError)
  /// JSON that is not a legacy record.
  case legacy(LegacyError)
  /// A legacy record that cannot become what was asked for.
  case conversion(ConversionError)
  /// A rule of an overlay makes a value that its field cannot hold.
  case field(FieldError)

  /// The case of a thrown error.
  ///
  /// Converting throws no others; an unknown one is reported as a text that cannot be read.
  init(_ error: any Error) {
    switch error {
    case let error as JSONError: self = .json(error)
    case let error as LegacyError: self = .legacy(error)
    case let error as ConversionError: self = .conversion(error)
    case let error as FieldError: self = .field(error)
    default: self = .json(JSONError(reason: .syntax, path: JSONPath(), offset: 0))
    }
  }

  /// The error itself.
  public var underlying: any Error {
    switch self {
    case .json(let error): error
    case .legacy(let error): error
    case .conversion(let error): error
    case .field(let error): error
    }
  }

  /// The member where the fault is.
  public var path: JSONPath {
    switch self {
    case .json(let error): error.path
    case .legacy(let error): error.path
    case .conversion(let error): error.path
    case .field(let error): error.path
    }
  }

  /// The byte where the fault is.
  public var offset: Int {
    switch self {
    case .json(let error): error.offset
    case .legacy(let error): error.offset
    case .conversion(let error): error.offset
    case .field(let error): error.offset
    }
  }

  /// What is wrong, and where.
  public var description: String { "\(underlying)" }
}
