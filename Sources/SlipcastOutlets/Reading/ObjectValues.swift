internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// The values of a V2 object by their names: of a record that was read, or of a conversion.
protocol ObjectValues {
  func text(_ name: String) -> String?
  /// A whole number, a time in milliseconds, or a flag as 0 and 1.
  func integer(_ name: String) -> Int64?
}

/// An object on a tape, with numbers as text and texts as numbers where another program has written them so.
struct TapeValues: ObjectValues {
  let element: JSONElement

  init(_ element: JSONElement) { self.element = element }

  func text(_ name: String) -> String? { element[name]?.anyText }

  func integer(_ name: String) -> Int64? {
    guard let value = element[name] else { return nil }
    return value.anyMilliseconds ?? value.anyBoolean.map { $0 ? 1 : 0 }
  }
}

/// An object of a conversion.
struct ConvertedValues: ObjectValues {
  let row: CellRow

  func text(_ name: String) -> String? { cell(name)?.text?.string }

  func integer(_ name: String) -> Int64? {
    guard let cell = cell(name), cell.kind == .integer || cell.kind == .boolean else { return nil }
    return cell.integer
  }

  private func cell(_ name: String) -> Cell? { row.schema.slot(name).flatMap { row[$0] } }
}
