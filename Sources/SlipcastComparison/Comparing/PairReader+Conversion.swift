internal import SlipcastLegacy
package import SlipcastMapping
package import SlipcastWire

extension PairReader {
  /// Casts a legacy record with the rules and options of the comparer; nothing is compared.
  ///
  /// - Throws: `ComparisonError` for the legacy side; it shows no value.
  package func convert(
    _ legacy: [UInt8], receivedAt: Timestamp? = nil, into emission: Emission = .auto
  ) throws(ComparisonError) -> Conversion {
    do {
      return try conversions.legacy.convert(legacy, receivedAt: receivedAt, into: emission)
    } catch {
      throw ComparisonError(.legacy, error)
    }
  }
}

extension ComparisonError {
  init(_ side: Side, _ fault: any Error) {
    switch fault {
    case let error as JSONError:
      let reason = error.reason == .trailing ? Reason.severalRecords : .json(error)
      self.init(side, reason, path: error.path, offset: error.offset)
    case let error as LegacyError: self.init(side, .legacy(error), path: error.path, offset: error.offset)
    case let error as ConversionError: self.init(side, .conversion(error), path: error.path, offset: error.offset)
    case let error as FieldError: self.init(side, .field(error), path: error.path, offset: error.offset)
    default: self.init(side, .unknownForm(found: "something else"))
    }
  }

  /// Line and byte of a fault in the record itself, `:3: byte 80`; empty for one in a decoded payload.
  package func place(in record: [UInt8]) -> String {
    isInPayload ? "" : TextPlace.words(offset, in: record)
  }
}
