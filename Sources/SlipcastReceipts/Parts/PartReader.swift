package import SlipcastMapping
package import SlipcastSignatures
internal import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

/// Reads the parts of records of both versions; what is signed counts when it is trusted.
///
/// Serves one task at a time.
package final class PartReader {
  /// The parts of a record, and what of it is not trusted.
  package struct Found {
    package fileprivate(set) var parts: [V2Part] = []
    /// Signed texts that are not trusted, and were not read.
    package fileprivate(set) var untrusted = 0
    /// Why the first of them is not trusted.
    package fileprivate(set) var refusal: Refusal?
  }

  private let record = EventRecord()
  private let gate: TokenGate
  private let tokens: TokenReader
  /// Transactions keep the tokens that they were decoded from.
  private let keepsTokens: Bool
  private let texts = JSONReader(names: [])

  /// - Parameters:
  ///   - verify: why a signed text is not trusted; `nil` where signatures were verified before.
  ///   - wanted: the original transaction ids whose signed parts are read; `nil` for all.
  ///   - keepsTokens: transactions keep the tokens that they were decoded from.
  package init(
    verify: ((Span<UInt8>) -> Refusal?)? = nil, wanted: Set<String>? = nil, keepsTokens: Bool = false
  ) {
    let gate = TokenGate(verify, wanted)
    (self.gate, self.keepsTokens) = (gate, keepsTokens)
    tokens = TokenReader { gate.admits($0) }
  }

  /// The parts of a V2 record in any form.
  ///
  /// - Parameters:
  ///   - origin: where the record is, for people.
  ///   - receivedAt: when it was received, in milliseconds, where that is known.
  ///   - token: the signed text that the whole record was decoded from.
  package func read(_ root: JSONElement, from origin: String, receivedAt: Int64? = nil, token: [UInt8]? = nil) -> Found
  {
    gate.begin()
    var found = Found()
    if token.map({ gate.admits($0.span, at: "") }) ?? true {
      gate.isOpen = token != nil
      for item in EventRecord.items(of: root) where record.read(item, tokens) {
        let time = root["signedDate"]?.milliseconds ?? receivedAt
        found.parts += PartMaker(record, origin, recordDate: time, conversion: root["migration"]).parts(
          keepsTokens: keepsTokens, token: token)
      }
    }
    (found.untrusted, found.refusal) = (gate.untrusted, gate.refusal)
    return found
  }

  /// The parts of a text that holds a V2 record, or parts as an index of customers keeps them.
  package func read(text: [UInt8], from origin: String) -> [V2Part] {
    texts.parse(JSONBuffer(text)) { KeptParts.parts(of: $0) ?? read($0, from: origin).parts } ?? []
  }

  /// What a V1 record is converted to: all its transactions, and the renewals and statuses of its subscriptions.
  ///
  /// - Throws: `ConversionError` for an answer without receipt data.
  package func read(_ converter: Converter) throws(ConversionError) -> [V2Part] {
    // What came later is newer, whatever its event: a recovery has the date of the bill that it paid.
    let date = converter.receivedAt ?? converter.asOf?.milliseconds
    try converter.convert(into: .history)
    let purchases = PartMaker(converter.tree, "", recordDate: date, isConverted: true).parts()
    try converter.convert(into: .statuses)
    let states = PartMaker(converter.tree, "", recordDate: date, isConverted: true).parts()
    return purchases + states.filter { $0.kind != .transaction && !$0.values.isEmpty }
  }
}

/// Decides which signed texts are read, and counts those that are not trusted.
private final class TokenGate {
  /// The texts of the record are inside one that was admitted.
  var isOpen = false
  private(set) var untrusted = 0
  private(set) var refusal: Refusal?
  private let verify: ((Span<UInt8>) -> Refusal?)?
  private let wanted: Set<String>?
  private let reader = JSONReader(names: [])

  init(_ verify: ((Span<UInt8>) -> Refusal?)?, _ wanted: Set<String>?) { (self.verify, self.wanted) = (verify, wanted) }

  func begin() { (isOpen, untrusted, refusal) = (false, 0, nil) }

  func admits(_ token: TokenReader.Token) -> Bool { isOpen || admits(token.text.buffer.span, at: token.path) }

  func admits(_ token: Span<UInt8>, at path: String) -> Bool {
    if let wanted, let id = originalTransactionId(in: token), !wanted.contains(id) { return false }
    guard var refusal = verify?(token) else { return true }
    untrusted += 1
    refusal.path = path
    self.refusal = self.refusal ?? refusal
    return false
  }

  private func originalTransactionId(in token: Span<UInt8>) -> String? {
    guard let payload = CompactJWS(token)?.payload else { return nil }
    return reader.parse(JSONBuffer(payload)) { $0["originalTransactionId"]?.anyText }
  }
}

/// Makes the parts of one record.
private struct PartMaker {
  private let record: EventRecord
  private let origin: String
  private let recordDate: Int64?
  private let isConverted: Bool
  /// The paths of what an earlier conversion concluded.
  private let inferred: Set<String>
  /// Of a conversion what stands before the members of each object in paths.
  private let prefixes: [String]

  init(_ record: EventRecord, _ origin: String, recordDate: Int64?, isConverted: Bool) {
    (self.record, self.origin, self.recordDate) = (record, origin, recordDate)
    (self.isConverted, inferred) = (isConverted, [])
    var prefixes: [String] = []
    record.forEachObject { prefixes.append($1) }
    self.prefixes = prefixes
  }

  init(_ record: EventRecord, _ origin: String, recordDate: Int64?, conversion: JSONElement?) {
    (self.record, self.origin, self.recordDate, isConverted) = (record, origin, recordDate, conversion != nil)
    (inferred, prefixes) = (Set(conversion?["inferred"]?.children.compactMap(\.string) ?? []), [])
  }

  func parts(keepsTokens: Bool = false, token: [UInt8]? = nil) -> [V2Part] {
    var made = record.objects.indices.map { place in V2Part.Kind(record.objects[place].part).map { part($0, place) } }
    if keepsTokens {
      for place in made.indices where made[place]?.kind == .transaction {
        made[place]?.token = record.origin(of: place)?.token.map { Array($0.buffer) } ?? token
      }
    }
    var parts = made.compactMap(\.self)
    share(with: &parts)
    return parts + made.indices.compactMap { status(of: $0, made) }
  }

  private func part(_ kind: V2Part.Kind, _ place: Int) -> V2Part {
    let object = record.objects[place]
    let stood = record.origin(of: place)
    let path = stood?.path ?? (place < prefixes.count ? String(prefixes[place].dropLast()) : "")
    var part = V2Part(
      kind: kind, values: [:], isConverted: isConverted, origin: path.isEmpty ? origin : "\(origin) \(path)")
    object.row.forEach { slot, cell in part.values[object.part.schema.fields[slot].name] = V2Value(cell) }
    for member in stood?.element.children ?? [] where part.values[member.name] == nil {
      part.values[member.name] = V2Value(member)
    }
    object.row.forEachInferred { part.inferred.insert(object.part.schema.fields[$0].name) }
    if !inferred.isEmpty {
      let start = path.isEmpty ? "" : path + "."
      part.inferred.formUnion(part.values.keys.filter { inferred.contains(start + $0) })
    }
    part.signedDate = part.integer("signedDate") ?? part.integer("receiptCreationDate") ?? recordDate
    part.environment = part.text("environment") ?? part.text("receiptType")
    part.bundleId = part.text("bundleId")
    return part
  }

  /// The environment and the app that a record states for all its parts.
  private func share(with parts: inout [V2Part]) {
    let environment = text("environment")
    let bundleId = text("bundleId") ?? parts.lazy.compactMap(\.bundleId).first
    for place in parts.indices {
      parts[place].environment = parts[place].environment ?? environment
      parts[place].bundleId = parts[place].bundleId ?? bundleId
    }
  }

  /// A value of the objects around transactions and renewals.
  private func text(_ name: String) -> String? {
    record.objects.lazy.filter { V2Part.Kind($0.part) == nil }.compactMap { object in
      object.part.schema.slot(name).flatMap { object.row[$0]?.text?.string }
    }.first
  }

  /// The status next to a transaction or a renewal: of an item of an answer, or of a notification.
  private func status(of place: Int, _ made: [V2Part?]) -> V2Part? {
    let holder = record.objects[place]
    guard [.item, .data].contains(holder.part), let slot = holder.part.schema.slot("status"),
      let status = holder.row[slot]?.integer, (1...5).contains(status)
    else { return nil }
    let parts = record.children(of: place).compactMap { made[$0] }.filter { !$0.values.isEmpty }
    let own = holder.part.schema.slot("originalTransactionId").flatMap { holder.row[$0]?.text?.string }
    guard let id = own ?? parts.lazy.compactMap({ $0.text("originalTransactionId") }).first, !parts.isEmpty else {
      return nil
    }
    let values: [String: V2Value] = ["originalTransactionId": .text(id), "status": .integer(status)]
    var part = V2Part(kind: .status, values: values, isConverted: isConverted, origin: origin)
    part.signedDate = parts.compactMap(\.signedDate).max() ?? recordDate
    return part
  }
}
