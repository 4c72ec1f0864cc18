/// A value of an open vocabulary: a known case, or any other value.
///
/// Apple adds values without notice; an unknown value survives reading and writing unchanged. An absent value is
/// different: it is `nil` in the optional around this type.
public enum Open<Known: RawRepresentable & Hashable & Sendable>: Hashable, Sendable
where Known.RawValue: Hashable & Sendable {
  /// A value that this version knows.
  case known(Known)
  /// A value that this version does not know, unchanged. `init(rawValue:)` never makes it of a known value.
  case unknown(Known.RawValue)

  /// Creates a known or an unknown value from a raw value.
  @inlinable
  public init(rawValue: Known.RawValue) {
    if let known = Known(rawValue: rawValue) {
      self = .known(known)
    } else {
      self = .unknown(rawValue)
    }
  }

  /// The value as it is in JSON.
  @inlinable
  public var rawValue: Known.RawValue {
    switch self {
    case .known(let known): known.rawValue
    case .unknown(let raw): raw
    }
  }

  /// The known case, or `nil` for an unknown value.
  @inlinable
  public var known: Known? {
    if case .known(let known) = self { known } else { nil }
  }
}

extension Open: Codable where Known.RawValue: Codable {
  /// Reads the raw value.
  ///
  /// - Throws: the errors of the decoder.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(Known.RawValue.self))
  }

  /// Writes the raw value.
  ///
  /// - Throws: the errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
