@_spi(Slipcast) package import SlipcastWire

/// One V2 value, with the rule that made it and the place it came from.
package struct Cell {
  package enum Kind: UInt8, Sendable {
    case text, integer, boolean
    /// An object: `integer` counts from its parent to it in `EventRecord.objects`.
    case row
    /// An array of objects: the children of the object that holds it.
    case list
    /// A value of a kind that the field does not hold, in a V2 record that was read.
    case mismatched
  }

  enum Certainty: UInt8 {
    /// A conclusion exactly when the rule's confidence is `inferred`.
    case asRule
    case stated
    case inferred
  }

  package var kind: Kind
  var isVerbatim = true
  var certainty = Certainty.asRule
  var rule: UInt16 = 0
  /// The value's place on the tape, or 0 when it has none.
  var source: UInt32 = 0
  package var place: Int { Int(source) }
  var count: Int32 = 0
  package var integer: Int64 = 0
  var base: UnsafePointer<UInt8>?

  init(kind: Kind, integer: Int64 = 0, source: Int = 0) {
    self.kind = kind
    self.integer = integer
    self.source = UInt32(truncatingIfNeeded: source)
  }

  init(_ text: JSONText, source: Int = 0) {
    kind = .text
    isVerbatim = text.isVerbatim
    base = text.base
    count = Int32(truncatingIfNeeded: text.count)
    self.source = UInt32(truncatingIfNeeded: source)
  }

  init(_ text: StaticString, source: Int = 0) {
    self.init(JSONText(text), source: source)
  }

  init(_ integer: Int64, source: Int = 0) { self.init(kind: .integer, integer: integer, source: source) }
  init(_ boolean: Bool, source: Int = 0) { self.init(kind: .boolean, integer: boolean ? 1 : 0, source: source) }

  /// A value in its own right, neither an object nor an array.
  var isScalar: Bool { kind == .text || kind == .integer || kind == .boolean }
  package var text: JSONText? { base.map { JSONText(base: $0, count: Int(count), isVerbatim: isVerbatim) } }
  var inferred: Cell { with(.inferred) }
  var stated: Cell { with(.stated) }

  private func with(_ certainty: Certainty) -> Cell {
    var cell = self
    cell.certainty = certainty
    return cell
  }
}
