internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastReceipts
@_spi(Slipcast) import SlipcastWire

/// Writes V2 objects as objects of `verifyReceipt`, by the rules of the way back.
struct PartWriter {
  /// The shape of the V1 object.
  enum Shape {
    /// An entry of `latest_receipt_info` or `pending_renewal_info`.
    case entry
    /// An entry of `receipt.in_app`.
    case purchase
    /// The only transaction of an answer about an iOS 6 receipt.
    case flat
  }

  let table: InverseTable
  let writer: JSONWriter
  /// `nil` unless the request asks for it.
  var provenance: Provenance?

  /// Writes the members of an object.
  mutating func write(_ part: V2Part, as shape: Shape = .entry, at path: String) {
    let object = part.kind == .renewal ? table.renewal : table.transaction
    for rule in object.written {
      if rule.isLatestOnly, shape == .purchase { continue }
      if let needed = rule.needs, part.values[needed] == nil { continue }
      write(rule, of: part, shape, path)
    }
    guard provenance != nil else { return }
    for rule in object.lost { noteLost(rule, of: part, path) }
    for name in part.values.keys.sorted() where !object.told.contains(name) {
      provenance?.loss("\(path).\(name)", .unknownMember, "")
    }
  }

  private mutating func write(_ rule: InverseRule, of part: V2Part, _ shape: Shape, _ path: String) {
    guard let key = rule.key?.name, let member = rule.from.first else { return }
    if !rule.takesInferred, rule.from.contains(where: part.inferred.contains) {
      provenance?.loss("\(path).\(key)", .inferred, rule.id)
      return
    }
    let isUnknown = part.isConverted && rule.convertedNeeds.map { part.values[$0] == nil } ?? false
    let holds = isUnknown ? nil : part.holds(rule.when)
    if rule.way == .truth {
      guard let holds else {
        provenance?.loss("\(path).\(key)", .undetermined, rule.id)
        return
      }
      writer.member(key, holds ? "true" : "false")
    } else {
      guard let value = part.values[member], holds ?? false else { return }
      guard write(value, as: key, rule.way, shape) else {
        provenance?.loss("\(path).\(key)", .unreadable, rule.id)
        return
      }
    }
    provenance?.source("\(path).\(key)", "\(part.origin) \(member)")
  }

  /// - Returns: false for a value that the key cannot hold.
  private func write(_ value: V2Value, as key: String, _ way: InverseRule.Way?, _ shape: Shape) -> Bool {
    switch (way, value) {
    case (.text, .text(let text)): writer.member(key, text)
    case (.text, .integer(let number)): writer.member(key, "\(number)")
    case (.digit, .boolean(let flag)): writer.member(key, flag ? "1" : "0")
    case (.digit, .integer(0...1)): writer.member(key, value.word)
    case (.trueOnly, .boolean(let flag)): if flag { writer.member(key, "true") }
    case (.dates, .integer(let time)):
      if shape == .flat, key == LegacyKey.expires_date.name { return writeFlatExpiry(time) }
      return table.dates.write(time, as: key, to: writer)
    default: return false
    }
    return true
  }

  /// In an answer about an iOS 6 receipt `expires_date` holds milliseconds, and other keys hold its texts.
  private func writeFlatExpiry(_ time: Int64) -> Bool {
    guard DateSpellings.milliseconds.contains(time) else { return false }
    writer.member(LegacyKey.expires_date.name, "\(time)")
    writer.member(LegacyKey.expires_date_formatted.name, table.dates.greenwich(time))
    writer.member(LegacyKey.expires_date_formatted_pst.name, table.dates.pacific(time))
    return true
  }

  /// Notes what an answer without an entry for the renewal cannot say, a grace period above all.
  mutating func noteUnsaid(_ renewal: V2Part, besides told: Set<String>) {
    guard provenance != nil else { return }
    for rule in table.renewal.written {
      guard let member = rule.from.first, !told.contains(member), renewal.values[member] != nil else { continue }
      provenance?.loss(rule.key?.name ?? member, .noKey, rule.id)
    }
    for rule in table.renewal.lost { noteLost(rule, of: renewal, LegacyKey.pending_renewal_info.name) }
  }

  private mutating func noteLost(_ rule: InverseRule, of part: V2Part, _ path: String) {
    guard let member = rule.from.first, part.values[member] != nil else { return }
    guard rule.when.isEmpty || part.holds(rule.when) == true else { return }
    let place = "\(path).\(rule.absentKey?.name ?? member)"
    if let finding = rule.finding {
      provenance?.finding(finding, at: place)
    } else {
      provenance?.loss(place, .noKey, rule.id)
    }
  }
}
