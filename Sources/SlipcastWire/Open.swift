/// A value of an open vocabulary: one of the known cases, or whatever else stood there.
///
/// Apple adds values without notice; an unknown one survives reading and writing unchanged.
/// Absent is a different thing: `nil` of the optional around this type.
public enum Open<Known: RawRepresentable & Hashable & Sendable>: Hashable, Sendable
where Known.RawValue: Hashable & Sendable {
  /// A value this version knows.
  case known(Known)
  /// A value this version does not know, as it came.
  case unknown(Known.RawValue)

  /// Sorts a raw value into known or unknown.
  public init(rawValue: Known.RawValue) {
    if let known = Known(rawValue: rawValue) {
      self = .known(known)
    } else {
      self = .unknown(rawValue)
    }
  }

  /// The value as it stands in JSON.
  public var rawValue: Known.RawValue {
    switch self {
    case .known(let known): known.rawValue
    case .unknown(let raw): raw
    }
  }

  /// The known case, or `nil` for an unknown value.
  public var known: Known? {
    if case .known(let known) = self { known } else { nil }
  }
}
