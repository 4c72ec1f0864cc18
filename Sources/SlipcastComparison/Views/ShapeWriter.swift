internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Spells a shape out in bytes, and reads it again.
final class ShapeWriter {
  private let names = JSONWriter(capacity: 256)
  private let fields = JSONWriter(capacity: 512)
  private let absences = JSONWriter(capacity: 256)
  private let losses = JSONWriter(capacity: 512)
  private let extras = JSONWriter(capacity: 64)
  private let whole = JSONWriter(capacity: 2048)

  func clear() { for part in [names, fields, absences, losses, extras] { part.clear() } }

  /// The record's own name for its event, V2's type and subtype; each is cut to what fits.
  func add(names texts: JSONText?...) {
    for text in texts {
      let count = min(text?.count ?? 0, 200)
      names.byte(UInt8(count))
      if let text { names.raw(text.part(0..<count).buffer) }
    }
  }

  func add(field: EventShape.Field) {
    let flags = field.kind.rawValue | (field.isInferred ? 4 : 0) | (field.isSoleUse ? 8 : 0)
    let index = UInt64(UInt16(truncatingIfNeeded: field.index))
    let origin = UInt64(field.place.code) << 24 | UInt64(field.row) << 40
    fields.plain(index | UInt64(flags | UInt8(field.relation.place) << 4) << 16 | origin, bytes: 6)
  }

  func add(absence index: Int, _ reason: Account.Absence.Reason) {
    absences.plain(UInt64(UInt16(truncatingIfNeeded: index)) | UInt64(reason.place) << 16, bytes: 3)
  }

  /// - Parameter unknownKey: the last name of the path, where no rule knows it.
  func add(loss: EventShape.Loss, unknownKey: JSONText? = nil) {
    let flags: UInt64 = (loss.isShown ? 1 : 0) | (unknownKey == nil ? 0 : 2) | UInt64(loss.fate.rawValue) << 2
    let origin = UInt64(loss.place.code) | UInt64(loss.row) << 16 | UInt64(UInt16(bitPattern: loss.rule)) << 24
    losses.plain(origin | flags << 40, bytes: 6)
    if let key = unknownKey {
      // Longer names are no names; what is left still differs from known ones.
      let count = min(key.count, 120)
      losses.byte(UInt8(count))
      losses.raw(key.base, count)
    }
  }

  func add(extra: EventShape.Extra) {
    extras.short(UInt16(truncatingIfNeeded: extra.owner ?? 0xFFFF))
    extras.byte(UInt8(truncatingIfNeeded: extra.part))
    let path = extra.path.utf8.count > 400 ? String(extra.path.prefix(100)) + "…" : extra.path
    extras.short(UInt16(path.utf8.count))
    extras.raw(path)
  }

  /// The bytes of the shape; valid until the next call.
  func spell() -> JSONText {
    whole.clear()
    for part in [names, fields, absences, losses, extras] {
      whole.word(UInt32(truncatingIfNeeded: part.count))
      whole.raw(part.buffer)
    }
    return whole.content
  }

  /// Reads a shape; one that was not spelled by `spell` is a broken invariant.
  ///
  /// - Parameter number: gives events their numbers.
  static func read(
    _ bytes: JSONText, number: (EventName) -> Int = { _ in -1 }
  ) -> EventShape {
    var reader = ImageBytes(bytes)
    var names = reader.section()
    let texts = (0..<3).map { _ in names.text(Int(names.byte())) }
    let event = EventName(notificationType: texts[1], subtype: texts[2].isEmpty ? nil : texts[2])
    var (fields, absences, losses, extras) =
      ([EventShape.Field](), [(index: Int, reason: UInt8)](), [EventShape.Loss](), [EventShape.Extra]())
    var part = reader.section()
    while !part.isAtEnd { fields.append(field(&part)) }
    part = reader.section()
    while !part.isAtEnd { absences.append((Int(part.short()), part.byte() + 1)) }
    part = reader.section()
    while !part.isAtEnd { losses.append(loss(&part)) }
    part = reader.section()
    while !part.isAtEnd { extras.append(extra(&part)) }
    return EventShape(
      name: texts[0], event: event, eventNumber: number(event), fields: fields, absences: absences, losses: losses,
      extras: extras)
  }

  private static func field(_ reader: inout ImageBytes) -> EventShape.Field {
    let index = Int(reader.short())
    let flags = reader.byte()
    return EventShape.Field(
      index: index, kind: ScalarView.Kind(rawValue: flags & 3) ?? .text, isInferred: flags & 4 != 0,
      isSoleUse: flags & 8 != 0, relation: Relation.allCases[Int(flags >> 4) % Relation.allCases.count],
      place: LegacyPlace(code: reader.short()), row: reader.byte())
  }

  private static func loss(_ reader: inout ImageBytes) -> EventShape.Loss {
    let place = LegacyPlace(code: reader.short())
    let row = reader.byte()
    let rule = Int16(bitPattern: reader.short())
    let flags = reader.byte()
    let key = flags & 2 == 0 ? nil : reader.text(Int(reader.byte()))
    return EventShape.Loss(
      place: place, unknownPath: key.map { LegacyPlace.join(place.object?.path ?? "", $0) }, row: row, rule: rule,
      isShown: flags & 1 != 0, fate: ValueFate(rawValue: flags >> 2) ?? .lost)
  }

  private static func extra(_ reader: inout ImageBytes) -> EventShape.Extra {
    let owner = Int(reader.short())
    let part = Int(reader.byte())
    return EventShape.Extra(
      path: reader.text(Int(reader.short())), owner: owner == 0xFFFF ? nil : owner, part: part)
  }
}
