@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// What is known of the V1 record behind a conversion: where each value comes from, and what has no V2 field.
final class LegacySource {
  /// A V1 value without a V2 field, by its number in the account of the conversion, or in that of its history.
  struct Loss {
    let number: Int32
    var isOfHistory = false
  }

  /// A history from which a transaction was taken: its conversion, and the positions of value holders there and here.
  struct History {
    let converter: Converter
    let from: String
    let to: String
  }

  /// The row of the decision table behind type and subtype, with the confidence of this record and the other events that
  /// it leaves possible.
  let decision: TypeRule?
  private let converter: Converter
  private let history: History?
  private let tape: JSONTape
  private let paths: TapePaths
  /// The V1 value behind each value of the units, by its place on the tape; 0 for none.
  private(set) var values: [UInt32] = []
  /// The V1 values that may belong to rows of the units, by their place in `losses`.
  private(set) var lossesOfUnits: [Int32] = []
  /// Values without a V2 field, in the order of the record.
  private let losses: [Loss]
  private var isTaken: [Bool]
  /// The places in `losses` by the numbers of each converter.
  private var places: [[Int32]]
  /// What was found while rows were made.
  private var added: [Account.Unmapped] = []

  init(
    _ converter: Converter, _ decision: TypeRule?, losses: [Loss], history: History? = nil,
    added: [Account.Unmapped] = []
  ) {
    (self.converter, self.decision, self.history) = (converter, decision, history)
    (tape, paths) = (converter.record.tape, TapePaths(converter.record.tape, root: converter.record.root))
    (self.losses, self.added) = (losses, added)
    isTaken = [Bool](repeating: false, count: losses.count)
    places = [[], []]
    for (place, loss) in losses.enumerated() {
      let (side, number) = (loss.isOfHistory ? 1 : 0, Int(loss.number))
      if number >= places[side].count {
        places[side] += [Int32](repeating: -1, count: max(losses.count, number + 1) - places[side].count)
      }
      places[side][number] = Int32(truncatingIfNeeded: place)
    }
  }

  /// The values of a converter without a V2 field, in the order of the record, but for the shared secret.
  static func losses(of converter: Converter) -> [Loss] {
    let tape = converter.record.tape
    return converter.unmappedInOrder.filter { tape[converter.sourceOfUnmapped($0)].key != LegacyKey.password.rawValue }
      .map { Loss(number: Int32(truncatingIfNeeded: $0)) }
  }

  /// Takes note of where the values of a unit come from.
  func note(_ outline: ConversionOutline, for unit: inout ComparedRecord.Unit) {
    (unit.values, unit.losses) = (values.count, lossesOfUnits.count)
    for value in outline.values { values.append(UInt32(truncatingIfNeeded: value.source)) }
    for loss in outline.losses {
      let own = places[loss.isAdded ? 1 : 0]
      lossesOfUnits.append(loss.number < own.count ? own[loss.number] : -1)
    }
  }

  // MARK: values without a V2 field

  /// A value has its own row, or none: it belongs to no further row.
  func isGone(_ place: Int) -> Bool { place < 0 || isTaken[place] }

  /// Removes and returns a value.
  func take(_ place: Int) -> Converter.UnmappedValue {
    isTaken[place] = true
    return value(losses[place])
  }

  private func value(_ loss: Loss) -> Converter.UnmappedValue {
    guard loss.isOfHistory, let history else { return converter.unmapped(Int(loss.number)) }
    var value = history.converter.unmapped(Int(loss.number))
    if let path = value.heldBy, path.hasPrefix(history.from) {
      value.heldBy = history.to + path.dropFirst(history.from.count)
    }
    return value
  }

  func append(_ loss: Account.Unmapped) { added.append(loss) }

  /// Hands out what was not taken, in the order of the record, then what was added.
  func forEachRest(_ use: (Converter.UnmappedValue) -> Void, _ useAdded: (Account.Unmapped) -> Void) {
    for place in losses.indices where !isTaken[place] { use(value(losses[place])) }
    added.forEach(useAdded)
  }

  // MARK: texts

  /// The path of a value.
  func path(_ source: Int) -> String { paths.text(source) }

  /// The object around a value of a known name, by its place on the tape; `nil` for other values.
  func object(of source: Int) -> Int? { tape[source].key < LegacyKey.count ? converter.origin(around: source) : nil }

  /// The value as JSON text; `nil` for arrays and objects.
  func json(_ source: Int) -> JSONText? {
    guard !isContainer(source), tape[source].key != LegacyKey.password.rawValue else { return nil }
    return tape.json(source)
  }

  /// The same as a text.
  func text(_ source: Int) -> String? { json(source)?.string }

  func isContainer(_ source: Int) -> Bool { tape[source].kind == .object || tape[source].kind == .array }

  /// The last name of a value's path.
  func key(_ source: Int) -> JSONText { tape.key(source) }
}
