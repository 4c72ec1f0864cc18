internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// The rows of a comparison as codes and texts, in one sequence of bytes.
///
/// Unchecked: nothing writes to it after the comparison has returned the rows.
final class CompactRows: @unchecked Sendable {
  private let maker: RowMaker
  /// Pieces that are full, and the one that is written: one long buffer would be copied whenever it grows.
  private var pieces: [JSONWriter] = []
  private var bytes = JSONWriter(capacity: 4096)
  /// What the paths of V1 values begin with, each once, and the object of the last one.
  private var leads: [String] = [""]
  private var lastObject = -1
  /// Texts that many rows share, and their numbers while rows are written.
  private var texts: [String] = []
  private var numbers: [String: UInt32] = [:]

  init(_ maker: RowMaker) { self.maker = maker }

  /// A field's row before it is put into words.
  struct Field {
    let outcome: Outcome
    /// Part and slot.
    let index: Int
    let place: UnitPlace
    let relation: Relation?
    let isInferred: Bool
    let cast: ScalarView?
    let server: ScalarView?
    /// The V1 value behind it, by its place on the tape.
    let source: Int?
    /// Why V1's value cannot be read.
    var unreadable: String?
  }

  private static let fieldMark: UInt8 = 0
  private static let lossMark: UInt8 = 1

  // MARK: writing

  /// Appends the row of a field.
  ///
  /// - Returns: its number.
  func append(_ field: Field, _ legacy: LegacySource?) -> Int {
    let start = begin()
    bytes.byte(Self.fieldMark)
    let (kind, detail) = field.outcome.kind.code
    bytes.byte(kind)
    bytes.byte(detail)
    bytes.short(UInt16(field.index))
    let relation = field.relation.map { UInt8($0.place + 1) } ?? 0
    bytes.byte(relation << 1 | (field.isInferred ? 1 : 0))
    write(field.place)
    write(field.source, legacy)
    write(field.cast)
    write(field.server)
    if field.outcome.kind == .unreadable { write(field.unreadable ?? "") }
    return start
  }

  /// Appends the row of a V1 value without a V2 field.
  ///
  /// - Returns: its number.
  func append(_ loss: Converter.UnmappedValue, _ legacy: LegacySource) -> Int {
    let start = begin()
    bytes.byte(Self.lossMark)
    bytes.byte((legacy.isContainer(loss.source) ? 1 : 0) | (loss.heldBy == nil ? 0 : 2) | loss.fate.rawValue << 2)
    bytes.short(UInt16(bitPattern: Int16(truncatingIfNeeded: loss.rule)))
    bytes.word(number(of: loss.reason))
    write(loss.source, legacy, withoutValue: loss.rule < 0)
    if let heldBy = loss.heldBy { write(heldBy) }
    return start
  }

  private static let pieceBits = 20

  /// The number of the row that begins here.
  private func begin() -> Int {
    if bytes.count >= 1 << Self.pieceBits {
      pieces.append(bytes)
      bytes = JSONWriter(capacity: 1 << Self.pieceBits + 4096)
    }
    return pieces.count << Self.pieceBits | bytes.count
  }

  private func number(of text: String) -> UInt32 {
    if let known = numbers[text] { return known }
    let number = UInt32(truncatingIfNeeded: texts.count)
    numbers[text] = number
    texts.append(text)
    return number
  }

  private func write(_ place: UnitPlace) {
    let (kind, one, two): (UInt8, Int, Int) =
      switch place {
      case .notification: (0, 0, 0)
      case .envelope: (1, 0, 0)
      case .transaction(let place): (2, place, 0)
      case .group(let group): (3, group, 0)
      case .item(let group, let item): (4, group, item)
      }
    bytes.byte(kind)
    if kind > 1 { bytes.word(UInt32(one)) }
    if kind > 3 { bytes.word(UInt32(two)) }
  }

  /// Writes the path and value of a V1 value.
  private func write(_ source: Int?, _ legacy: LegacySource?, withoutValue: Bool = false) {
    guard let source, let legacy else { return bytes.byte(0) }
    let json = withoutValue ? nil : legacy.json(source)
    bytes.byte(json == nil ? 1 : 2)
    if let lead = legacy.object(of: source) {
      if lead != lastObject {
        lastObject = lead
        leads.append(legacy.path(lead))
      }
      bytes.word(UInt32(leads.count - 1))
      write(legacy.key(source))
    } else {
      bytes.word(0)
      write(legacy.path(source))
    }
    if let json { write(json) }
  }

  private func write(_ value: ScalarView?) {
    guard let value else { return bytes.byte(.max) }
    bytes.byte(value.kind.rawValue)
    switch value.kind {
    case .integer, .boolean: bytes.long(value.integer)
    case .text, .json:
      write(value.bytes)
    }
  }

  private func write(_ text: JSONText) {
    bytes.word(UInt32(text.count))
    bytes.raw(text.buffer)
  }

  private func write(_ text: String) {
    bytes.word(UInt32(text.utf8.count))
    bytes.raw(text)
  }

  // MARK: reading

  /// A row, put into words.
  func row(_ number: Int, _ differenceClass: DifferenceClass) -> FieldDifference {
    let (piece, start) = (number >> Self.pieceBits, number & (1 << Self.pieceBits - 1))
    let text = (piece < pieces.count ? pieces[piece] : bytes).content
    var reader = ImageBytes(text.part(start..<text.count))
    return reader.byte() == Self.fieldMark ? field(&reader, differenceClass) : loss(&reader)
  }

  private func field(_ reader: inout ImageBytes, _ differenceClass: DifferenceClass) -> FieldDifference {
    let kind = Outcome.Case(code: reader.byte(), reader.byte())
    let index = Int(reader.short())
    let flags = reader.byte()
    let (part, name) = ObjectPart.field(index)
    var found = RowMaker.Found(
      outcome: Outcome(differenceClass: differenceClass, kind: kind),
      path: Self.place(&reader).prefix(part) + name,
      name: RuleName(part, name), knowledge: maker.book.entries[index].knowledge,
      relation: flags >> 1 == 0 ? nil : Relation.allCases[Int(flags >> 1) - 1], isInferred: flags & 1 != 0)
    (found.v1Path, found.v1) = origin(&reader)
    found.cast = Self.value(&reader)
    found.server = Self.value(&reader)
    if kind == .unreadable { found.unreadable = Self.text(&reader) }
    return maker.row(found)
  }

  private func loss(_ reader: inout ImageBytes) -> FieldDifference {
    let flags = reader.byte()
    let rule = Int(Int16(bitPattern: reader.short()))
    let reason = texts[Int(reader.word())]
    let (path, value) = origin(&reader)
    return maker.row(
      Account.Unmapped(
        v1Path: path ?? "", v1Value: value, isContainer: flags & 1 != 0,
        rule: rule < 0 ? nil : maker.rules.fields[rule].id, reason: reason,
        heldBy: flags & 2 == 0 ? nil : Self.text(&reader), fate: ValueFate(rawValue: flags >> 2) ?? .lost))
  }

  private static func text(_ reader: inout ImageBytes) -> String { reader.text(Int(reader.word())) }

  private static func place(_ reader: inout ImageBytes) -> UnitPlace {
    switch reader.byte() {
    case 0: .notification
    case 1: .envelope
    case 2: .transaction(Int(reader.word()))
    case 3: .group(Int(reader.word()))
    default: .item(group: Int(reader.word()), Int(reader.word()))
    }
  }

  private func origin(_ reader: inout ImageBytes) -> (path: String?, value: String?) {
    let kind = reader.byte()
    if kind == 0 { return (nil, nil) }
    let path = LegacyPlace.join(leads[Int(reader.word())], Self.text(&reader))
    return (path, kind == 2 ? Self.text(&reader) : nil)
  }

  private static func value(_ reader: inout ImageBytes) -> FieldValue? {
    switch ScalarView.Kind(rawValue: reader.byte()) {
    case .text: .text(text(&reader))
    case .integer: .integer(reader.long())
    case .boolean: .boolean(reader.long() != 0)
    case .json: .json(text(&reader))
    case nil: nil
    }
  }
}

extension Outcome.Case {
  /// The case in two bytes.
  fileprivate var code: (UInt8, UInt8) {
    switch self {
    case .equal: (0, 0)
    case .differ: (1, 0)
    case .missing: (2, 0)
    case .silence: (3, 0)
    case .sameAsSilence: (4, 0)
    case .untold: (5, 0)
    case .noSource: (6, 0)
    case .unreadable: (7, 0)
    case .notTold(let reason): (8, UInt8(reason.map { $0.place + 1 } ?? 0))
    case .unknownMember: (9, 0)
    case .unknownValue: (10, 0)
    case .read(let way): (11, UInt8(ComparingRule.Way.allCases.firstIndex(of: way) ?? 0))
    case .notAmong: (12, 0)
    }
  }

  fileprivate init(code: UInt8, _ detail: UInt8) {
    let plain: [Outcome.Case] = [.equal, .differ, .missing, .silence, .sameAsSilence, .untold, .noSource, .unreadable]
    switch code {
    case 8: self = .notTold(detail == 0 ? nil : Account.Absence.Reason.allCases[Int(detail) - 1])
    case 9: self = .unknownMember
    case 10: self = .unknownValue
    case 11: self = .read(ComparingRule.Way.allCases[Int(detail)])
    case 12: self = .notAmong
    default: self = plain[Int(code)]
    }
  }
}
