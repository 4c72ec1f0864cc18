// Unsafe on purpose: a body that is JSON text inside a string is copied into a block and read in place.
@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Finds the record in its row: as it is, wrapped under a pointer, as JSON text in a string, or in a line of rejects.
final class RowReader {
  /// The record's place, and what the row says about its delivery.
  struct Row {
    var tape: JSONTape
    var root: Int
    var delivery: Caster.Delivery
    var id: String?
  }

  private let options: ConvertOptions
  private let isWrapped: Bool
  private let limits: JSONLimits
  /// Readers of texts inside strings: of a reject's input, of a body.
  private lazy var inputReader = NestedReader(limits)
  private lazy var bodyReader = NestedReader(limits)
  /// The row's own id, for rejects.
  private(set) var id: String?
  /// What paths inside the body are to be preceded by.
  private(set) var prefix = ""
  /// Where the text that holds the body begins, when places inside it cannot be told in bytes of the source.
  private(set) var outerOffset: Int?
  /// The record of a reject that is fed again: should it fail once more, it is kept as it first came.
  private(set) var input: JSONText?

  init(options: ConvertOptions, limits: JSONLimits) {
    self.options = options
    isWrapped = options.body != nil || options.receivedAt != nil || options.id != nil
    self.limits = limits
  }

  /// Forgets the row before.
  func begin() { (id, prefix, outerOffset, input) = (nil, "", nil, nil) }

  func resolve(_ tape: JSONTape) throws(RowError) -> Row {
    if !isWrapped, !isReject(tape) { return Row(tape: tape, root: 0, delivery: Caster.Delivery()) }
    let outer = try unwrapReject(tape)
    guard isWrapped else { return Row(tape: outer, root: 0, delivery: Caster.Delivery()) }
    var delivery = Caster.Delivery()
    if let pointer = options.receivedAt {
      delivery.receivedAt = pointer.find(in: outer, from: 0).flatMap { ReceivedTime.milliseconds(outer, $0) }
      delivery.isUnreadable = delivery.receivedAt == nil
    }
    if let pointer = options.id, let index = pointer.find(in: outer, from: 0) {
      let kind = outer[index].kind
      if kind == .string || kind == .number { id = outer.text(index).string }
    }
    guard let pointer = options.body else { return Row(tape: outer, root: 0, delivery: delivery, id: id) }
    guard let index = pointer.find(in: outer, from: 0) else {
      throw RowError(
        code: "bodyMissing", path: pointer.description, offset: 0,
        description: "expected the record there (--body), found nothing")
    }
    guard outer[index].kind == .string else { return Row(tape: outer, root: index, delivery: delivery, id: id) }
    let inner = try read(outer, index, with: bodyReader)
    prefix = pointer.description + ": "
    return Row(tape: inner, root: 0, delivery: delivery, id: id)
  }

  // MARK: rejects

  /// A line that `--rejects` wrote: its record is fed again as it is.
  private func isReject(_ tape: JSONTape) -> Bool {
    guard tape[0].kind == .object, tape.count > 8 else { return false }
    let names: [StaticString] = ["source", "record", "offset"]
    var at = 1
    for name in names {
      guard at < tape.count, tape.key(at) == name else { return false }
      at = tape.after(at)
    }
    return JSONElement(tape: tape)["input"]?.kind == .string
  }

  private func unwrapReject(_ tape: JSONTape) throws(RowError) -> JSONTape {
    guard isReject(tape), let input = JSONElement(tape: tape)["input"] else { return tape }
    let inner = try read(tape, input.index, with: inputReader)
    self.input = JSONText(base: inner.bytes, count: inner.byteCount, isVerbatim: false)
    return inner
  }

  private func read(_ tape: JSONTape, _ index: Int, with nested: NestedReader) throws(RowError) -> JSONTape {
    outerOffset = tape.range(index).lowerBound
    do throws(JSONError) {
      return try nested.read(tape.text(index))
    } catch {
      throw RowError(
        code: error.code, path: JSONPath(tape: tape, index: index).description, offset: tape.range(index).lowerBound,
        description: "the JSON text in this string: \(error.description) (\(error.offset) bytes into it)")
    }
  }
}

/// Reads JSON text that stood in a string of another JSON text.
private final class NestedReader {
  private let reader: JSONReader
  private let block = Block(capacity: 64 << 10)

  init(_ limits: JSONLimits) { reader = JSONReader(names: LegacyKey.names, limits: limits) }

  func read(_ text: JSONText) throws(JSONError) -> JSONTape {
    block.clear()
    block.append(text.base, text.count)
    return try reader.read(UnsafePointer(block.memory), count: block.count)
  }
}

/// Why a row holds no record where one should be.
struct RowError: Error {
  var code: String
  var path: String
  var offset: Int
  var description: String
}
