package import SlipcastComparison
import SlipcastMapping
@_spi(Slipcast) import SlipcastWire

/// The form for programs: one JSON document, a path or a sample a line.
struct ParityJSONReport {
  let result: ParityResult
  /// Writes the pairs of a difference to the writer; `nil`: those that the result holds.
  var pairs: ((ParityResult.FoundDifference, JSONWriter) -> Void)?
  /// Writes the missing events of a side to the writer; `nil`: those that the result holds.
  var missing: ((MissingEvent.Side, JSONWriter) -> Void)?

  var text: String { JSONWriter.document(members) }

  func members(_ writer: JSONWriter) {
    writer.line("schema") { writer.integer(1) }
    writer.line("verdict") { writer.text(result.verdict.rawValue) }
    writer.object(line: "pairs") { pairs(result.pairs, writer) }
    if result.unreadable > 0 { writer.line("unreadable") { writer.integer(Int64(result.unreadable)) } }
    writer.object(line: "entitlement") { access(result.entitlement, writer) }
    if let access = result.access { writer.object(line: "access") { customers(access, writer) } }
    writer.lines("types", result.types) { cell in
      writer.member("legacy", cell.legacy)
      writer.member("server", cell.server)
      writer.member("count", cell.count)
    }
    writer.lines("fields", result.fields) { field($0, writer) }
    writer.lines("unpaired", result.unpaired) { unpaired($0, writer) }
    writer.lines(of: result.gates)
    if !result.causes.isEmpty { writer.lines("causes", result.causes) { cause($0, writer) } }
    let tolerated = result.fields.filter { $0.tolerated > 0 }
    if !tolerated.isEmpty {
      writer.lines("tolerated", tolerated) { field in
        writer.member("path", field.path)
        writer.member("pairs", field.tolerated)
      }
    }
    writer.lines("differences", result.differences.filter(\.fails)) { difference($0, writer) }
    if result.coverage != ParityCoverage() { writer.object(line: "coverage") { coverage(result.coverage, writer) } }
    if !result.missing.kinds.isEmpty { writer.object(line: "missing") { missing(writer) } }
    if result.unread != UnreadRecords() { writer.object(line: "unread") { unread(writer) } }
    if let origin = result.origin { writer.lines(of: origin) }
    if !result.notes.isEmpty { writer.lines("notes", result.notes) { writer.members(of: $0) } }
  }

  private func pairs(_ pairs: ParityResult.Pairs, _ writer: JSONWriter) {
    writer.members([
      "matched": pairs.matched, "conflicting": pairs.conflicting, "legacyWithoutServer": pairs.legacyWithoutServer,
      "serverWithoutLegacy": pairs.serverWithoutLegacy, "serverOnlyEvents": pairs.serverOnlyEvents,
      "unknownEvents": pairs.unknownEvents, "absorbed": pairs.absorbed,
    ])
    both("duplicates", pairs.duplicates, writer)
    if pairs.repeatDiffers != .init() { both("repeatDiffers", pairs.repeatDiffers, writer) }
    if pairs.rejected != .init() { both("rejected", pairs.rejected, writer) }
    if pairs.notComparable > 0 { writer.member("notComparable", pairs.notComparable) }
  }

  /// A difference that no baseline accepts, or that has more pairs than it accepts.
  private func difference(_ found: ParityResult.FoundDifference, _ writer: JSONWriter) {
    writer.member("path", found.path)
    writer.member("class", found.differenceClass)
    writer.member("kind", found.kind.rawValue)
    writer.member("legacy", found.legacy)
    writer.member("server", found.server)
    writer.member("count", found.count)
    if found.path == KnownDifference.entitlement { writer.member("customers", found.customers) }
    writer.member("state", found.isGrown ? "grown" : "new")
    if let most = found.known?.atMost { writer.member("accepted", most) }
    writer.key("pairs")
    writer.raw("[")
    if let pairs {
      pairs(found, writer)
    } else {
      for (place, pair) in found.pairs.enumerated() {
        Self.pair(pair, isFirst: place == 0, writer)
      }
    }
    writer.raw("]")
  }

  static func pair(_ pair: ParityResult.FoundDifference.Pair, isFirst: Bool, _ writer: JSONWriter) {
    writer.raw(isFirst ? "{" : ",{")
    writer.member("legacyRecord", pair.legacyRecord)
    writer.member("serverRecord", pair.serverRecord)
    who(pair.subject, writer)
    writer.raw("}")
  }

  private static func who(_ subject: PairSubject?, _ writer: JSONWriter) {
    guard let subject else { return }
    writer.member("originalTransactionId", ifPresent: subject.originalTransactionId)
    writer.member("type", ifPresent: subject.type)
    writer.member("legacyId", ifPresent: subject.legacyId)
    writer.member("serverId", ifPresent: subject.serverId)
  }

  private func cause(_ cause: ParityCause, _ writer: JSONWriter) {
    writer.member("path", cause.path)
    writer.member("kind", cause.kind.rawValue)
    writer.member("pairs", cause.pairs)
    writer.key("share")
    writer.raw(Self.share(cause.pairs, of: cause.all))
    writer.member("by", ifPresent: cause.by)
    writer.member("timeZone", ifPresent: cause.timeZone)
    writer.member("from", value: cause.from)
    writer.member("to", value: cause.to)
    guard !cause.common.isEmpty else { return }
    writer.object("where") {
      writer.member("bundleId", ifPresent: cause.common.bundleId)
      writer.member("productId", ifPresent: cause.common.productId)
      writer.member("type", ifPresent: cause.common.type)
      writer.member("since", ifPresent: cause.common.since)
      writer.member("until", ifPresent: cause.common.until)
    }
  }

  /// From 0 to 1, in ten thousandths.
  private static func share(_ part: Int, of all: Int) -> String {
    guard all > 0, part < all else { return "1" }
    let rest = String(10_000 + Int(Double(part) / Double(all) * 10_000)).dropFirst()
    return "0.\(rest)"
  }

  /// Every event that counts as missing.
  private func missing(_ writer: JSONWriter) {
    for side in MissingEvent.Side.allCases {
      writer.key(side.rawValue)
      writer.raw("[")
      if let missing {
        missing(side, writer)
      } else {
        for (place, event) in result.missing.events(side).enumerated() {
          Self.event(event, isFirst: place == 0, writer)
        }
      }
      writer.raw("]")
    }
  }

  static func event(_ event: MissingEvent, isFirst: Bool, _ writer: JSONWriter) {
    writer.raw(isFirst ? "\n    {" : ",\n    {")
    writer.member("type", event.type)
    writer.member("originalTransactionId", event.subject.originalTransactionId ?? "")
    writer.member("transactionId", ifPresent: event.subject.transactionId)
    writer.member("productId", ifPresent: event.subject.productId)
    writer.member("time", ifPresent: event.time)
    writer.member("source", event.place.source)
    writer.member("record", event.place.record)
    writer.member("id", ifPresent: event.place.id)
    if event.isAccepted { writer.member("accepted", true) }
    writer.raw("}")
  }

  /// The first records that were not compared; `pairs.rejected` counts all.
  private func unread(_ writer: JSONWriter) {
    for side in MissingEvent.Side.allCases {
      writer.key(side.rawValue)
      writer.rows(result.unread.records(side), margin: "    ") { record in
        writer.member("source", record.place.source)
        writer.member("record", record.place.record)
        writer.member("id", ifPresent: record.place.id)
        writer.member("type", ifPresent: record.type)
        if let ids = record.originalTransactionIds { writer.member("originalTransactionIds", ids) }
        writer.member("code", record.code)
        writer.member("path", record.path)
        writer.member("message", record.message)
      }
    }
  }

  private func unpaired(_ kind: ParityResult.UnpairedKind, _ writer: JSONWriter) {
    writer.member("reason", kind.reason.rawValue)
    writer.member("event", kind.event)
    writer.member("count", kind.count)
    writer.array("records", kind.records) { writer.integer(Int64($0)) }
    writer.member("explanation", kind.explanation)
  }

  private func both(_ name: String, _ both: ParityResult.Pairs.Both, _ writer: JSONWriter) {
    writer.object(name) { writer.members(["legacy": both.legacy, "server": both.server]) }
  }

  private func access(_ access: EntitlementParity, _ writer: JSONWriter) {
    writer.member("asOf", ifPresent: access.asOf)
    writer.members([
      "granted": access.granted, "denied": access.denied, "legacyOnly": access.legacyOnly,
      "serverOnly": access.serverOnly,
      // The same numbers in the words of the other forms and of the member access.
      "lockedOut": access.legacyOnly, "servedForFree": access.serverOnly, "endsEarlier": access.serverEndsEarlier,
      "endsLater": access.serverEndsLater,
      "timeDependent": access.timeDependent, "unknown": access.unknown,
      "serverEndsEarlier": access.serverEndsEarlier, "serverEndsLater": access.serverEndsLater,
      "conflicts": access.conflicts, "subscriptions": access.subscriptions,
    ])
    if access.accepted > 0 { writer.member("accepted", access.accepted) }
    writer.key("samples")
    writer.rows(access.samples, margin: "    ") { sample in
      writer.members(["legacyRecord": sample.legacyRecord, "serverRecord": sample.serverRecord])
      Self.who(sample.subject, writer)
      writer.member("asOf", sample.asOf)
      side("legacy", sample.legacy, writer)
      side("server", sample.server, writer)
      writer.member("explanation", sample.explanation)
    }
  }

  /// Access of all customers in numbers, and the customers whose access differs.
  private func customers(_ access: AccessTotals, _ writer: JSONWriter) {
    totals(access, writer)
    writer.key("customers")
    writer.rows(result.accessSamples.kept, margin: "    ") { outcome, change in
      writer.member("outcome", outcome.rawValue)
      writer.member("originalTransactionId", ifPresent: change.originalTransactionId)
      writer.member("productId", ifPresent: change.productId)
      writer.member("asOf", ifPresent: change.asOf)
      for (name, state) in [("legacy", change.legacy), ("server", change.server)] {
        writer.object(name) { state.write(to: writer) }
      }
    }
  }

  private func totals(_ access: AccessTotals, _ writer: JSONWriter) {
    writer.member("asOf", access.asOf)
    writer.members([
      "subscriptions": access.subscriptions, "same": access.same, "lockedOut": access.lockedOut,
      "servedForFree": access.servedForFree, "endsEarlier": access.endsEarlier, "endsLater": access.endsLater,
      "unknown": access.unknown,
    ])
    if access.refundReversed > 0 { writer.member("refundReversed", access.refundReversed) }
    if access.extended > 0 { writer.member("extended", access.extended) }
    if access.accepted > 0 { writer.member("accepted", access.accepted) }
    if access.endsAccepted > 0 { writer.member("endsAccepted", access.endsAccepted) }
  }

  private func side(_ name: String, _ access: EntitlementParity.Access, _ writer: JSONWriter) {
    writer.object(name) {
      writer.member("access", access.isGranted)
      writer.member("reason", access.reason.rawValue)
    }
  }

  private func field(_ field: ParityResult.Field, _ writer: JSONWriter) {
    if let path = field.v2Path { writer.member("v2Path", path) } else { writer.member("v1Path", field.path) }
    writer.members(field.counts)
    if field.unreadable > 0 { writer.member("unreadable", field.unreadable) }
    if field.accepted > 0 { writer.member("accepted", field.accepted) }
    writer.key("samples")
    writer.rows(field.samples, margin: "    ") { sample($0, writer) }
  }

  private func sample(_ sample: ParityResult.Sample, _ writer: JSONWriter) {
    let difference = sample.difference
    let words = difference.explanation
    writer.members(["legacyRecord": sample.legacyRecord, "serverRecord": sample.serverRecord])
    Self.who(sample.subject, writer)
    writer.member("v1", value: difference.v1)
    writer.member("cast", value: difference.cast)
    writer.member("v2", value: difference.v2)
    writer.member("class", difference.differenceClass.rawValue)
    writer.member("explanation", words.isEmpty ? difference.differenceClass.meaning : words)
  }

  private func coverage(_ coverage: ParityCoverage, _ writer: JSONWriter) {
    writer.member("from", ifPresent: coverage.time?.common?.lowerBound)
    writer.member("to", ifPresent: coverage.time?.common?.upperBound)
    writer.member("margin", ifPresent: coverage.time?.margin)
    for (name, side) in [("legacy", coverage.legacy), ("server", coverage.server)] {
      writer.object(name) {
        writer.members([
          "events": side.inside.events, "missing": side.inside.missing, "missingOutside": side.outside,
          "missingUndated": side.undated,
        ])
        writer.member("from", ifPresent: side.covers?.lowerBound)
        writer.member("to", ifPresent: side.covers?.upperBound)
      }
    }
  }
}

extension ParityResult {
  private static let piece = 256 << 10

  /// Writes the JSON form in pieces, with all pairs of the differences that fail.
  ///
  /// - Parameters:
  ///   - pairs: passes on the pairs of a difference.
  ///   - missing: passes on the missing events of a side, until the closure returns false.
  ///   - emit: takes a piece; pieces end between values.
  /// - Throws: what the closures throw.
  package func writeJSON(
    pairs: @escaping (FoundDifference, (FoundDifference.Pair) throws -> Void) throws -> Void,
    missing: @escaping (MissingEvent.Side, (MissingEvent) throws -> Bool) throws -> Void,
    to emit: @escaping (String) throws -> Void
  ) throws {
    let writer = JSONWriter()
    var fault: (any Error)?
    var report = ParityJSONReport(result: self)
    /// Writes a list in pieces.
    func write(_ list: (_ next: (_ write: (_ isFirst: Bool) -> Void) throws -> Void) throws -> Void) {
      guard fault == nil else { return }
      var isFirst = true
      do {
        try list { write in
          if writer.count > Self.piece {
            try emit(writer.string)
            writer.clear()
          }
          write(isFirst)
          isFirst = false
        }
      } catch { fault = error }
    }
    report.pairs = { found, writer in
      write { next in
        try pairs(found) { pair in
          try next { ParityJSONReport.pair(pair, isFirst: $0, writer) }
        }
      }
    }
    report.missing = { side, writer in
      write { next in
        try missing(side) { event in
          try next { ParityJSONReport.event(event, isFirst: $0, writer) }
          return true
        }
      }
    }
    writer.raw("{")
    report.members(writer)
    writer.raw("\n}\n")
    if let fault { throw fault }
    try emit(writer.string)
  }
}
