internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Writes the line of a group: the lead's own line, byte for byte, except for what the group decides.
struct GroupLine {
  let group: EventGroup

  /// The path that marks an event of unknown time: it is inferred that no other message belongs to it.
  static let mark = "migration.companions"

  /// Appends the line without its line feed.
  func write(_ root: JSONElement, to writer: JSONWriter) {
    writer.byte(UInt8(ascii: "{"))
    for member in root.children {
      switch member.name {
      case "notificationType" where group.isReclassified: writeEvent(to: writer)
      case "subtype" where group.isReclassified: break
      case "migration" where changesMigration && member.kind == .object: writeMigration(member, to: writer)
      default:
        writer.keyOf(member)
        writer.copy(member)
      }
    }
    writer.byte(UInt8(ascii: "}"))
  }

  /// Appends the row of CSV that the line has, without its line feed.
  func write(_ root: JSONElement, to writer: JSONWriter, as rows: EventTableRows) {
    var migration = root["migration"].flatMap { try? Migration(element: $0) }
    if changesMigration {
      migration?.rule = group.rule
      migration?.confidence = group.confidence.map { Open(rawValue: $0.rawValue) }
      if group.isReclassified { migration?.candidates = group.candidates }
      if group.absorbedInto == nil { migration?.absorbed = nil }
    }
    rows.write(root, migration, as: group.isReclassified ? group.event : nil, to: writer)
  }

  /// The line differs from the lead's own.
  var changesMigration: Bool { group.isReclassified || !group.companions.isEmpty || group.isUntimed }

  private func writeEvent(to writer: JSONWriter) {
    if let type = group.notificationType { writer.member("notificationType", type) }
    if let subtype = group.subtype { writer.member("subtype", subtype) }
  }

  /// The members that grouping sets, in their fixed order, then the others.
  private func writeMigration(_ object: JSONElement, to writer: JSONWriter) {
    writer.key("migration")
    writer.byte(UInt8(ascii: "{"))
    if let rule = group.rule { writer.member("rule", rule) }
    if let confidence = group.confidence { writer.member("confidence", confidence.rawValue) }
    if group.isReclassified {
      if !group.candidates.isEmpty { writer.array("candidates", group.candidates) { $0.write(to: writer) } }
    } else {
      copy("candidates", of: object, to: writer)
    }
    if group.absorbedInto != nil { copy("absorbed", of: object, to: writer) }
    // A group that is read as one event has no other reading of its lead.
    if !group.isReclassified { copy("accepts", of: object, to: writer) }
    writeCompanions(object["companions"], to: writer)
    writeInferred(object["inferred"], to: writer)
    let written = ["rule", "confidence", "candidates", "absorbed", "accepts", "companions", "inferred"]
    for member in object.children where !written.contains(member.name) {
      writer.keyOf(member)
      writer.copy(member)
    }
    writer.byte(UInt8(ascii: "}"))
  }

  private func copy(_ name: String, of object: JSONElement, to writer: JSONWriter) {
    guard let member = object[name] else { return }
    writer.keyOf(member)
    writer.copy(member)
  }

  private func writeCompanions(_ known: JSONElement?, to writer: JSONWriter) {
    let before = known?.children ?? []
    guard !before.isEmpty || !group.companions.isEmpty else { return }
    writer.key("companions")
    writer.byte(UInt8(ascii: "["))
    for item in before {
      writer.comma()
      writer.copy(item)
    }
    for companion in group.companions {
      writer.comma()
      writer.byte(UInt8(ascii: "{"))
      if let id = companion.notificationUUID { writer.member("notificationUUID", id) }
      if let type = companion.event.notification_type { writer.member("notification_type", type) }
      writer.member("rule", companion.rule)
      writer.byte(UInt8(ascii: "}"))
    }
    writer.byte(UInt8(ascii: "]"))
  }

  private func writeInferred(_ known: JSONElement?, to writer: JSONWriter) {
    let paths = known?.children ?? []
    writer.key("inferred")
    writer.byte(UInt8(ascii: "["))
    for path in paths {
      writer.comma()
      writer.copy(path)
    }
    if group.isUntimed, !paths.contains(where: { $0.string == Self.mark }) {
      writer.comma()
      writer.text(Self.mark)
    }
    writer.byte(UInt8(ascii: "]"))
  }
}
