internal import SlipcastLegacy
package import SlipcastMapping
internal import SlipcastV2
package import SlipcastWire

/// Compares one pair of records after another; it reuses its memory and serves one task.
///
/// `RecordComparer` is the library's entry.
package final class PairReader {
  private let tools: ComparisonTools
  private let records: RecordReader
  let conversions: ConversionReader
  /// The item of the server's answer that is compared, by its number as views have it; `nil` for all items.
  ///
  /// 0 stands for the whole record. What else the legacy record has is not missing.
  package var item: UInt64?

  /// Companion messages are compared with the purchase of V2's event, which they list; otherwise their transaction is not
  /// compared, as in `parity`.
  package var turnsCompanions: Bool {
    get { conversions.turnsCompanions }
    set { conversions.turnsCompanions = newValue }
  }

  /// The latest signature in the archive that the server's records are from, milliseconds since 1970 UTC.
  package var serverEnd: Int64? {
    get { tools.comparer.serverEnd }
    set { tools.comparer.serverEnd = newValue }
  }

  /// A comparer with compiled rules.
  package init(prepared: LegacyConverter.PreparedRules, options: ConversionOptions = ConversionOptions()) {
    tools = ComparisonTools(prepared.rules)
    records = RecordReader(tools.table, prepared.rules, tools.two)
    conversions = ConversionReader(tools.table, prepared, options)
  }

  /// Settles readings with other messages of the archive that the legacy records come from.
  package func settle(_ settled: @escaping @Sendable (SettlingKey) -> Settlement?) {
    conversions.legacy.settle(settled)
  }

  /// Compares one pair, as `RecordComparer` describes it.
  package func compare(
    legacy: [UInt8], server: [UInt8], receivedAt: Timestamp? = nil,
    names: (legacy: String, server: String) = ("legacy", "server"), storekit: Bool = false,
    verified: Set<ComparisonError.Side> = []
  ) throws(ComparisonError) -> Comparison {
    let record = try records.read(server, side: .server, item: item ?? 0)
    record.trust.isVerified = verified.contains(.server)
    var notes: [Comparison.Note] = []
    let first = try firstAsV2(legacy, beside: record)
    if let first {
      first.trust.isVerified = verified.contains(.legacy)
      first.isConverted = first.origin == .cast && record.origin != .cast
      if first.migration?.absorbed != nil, first.isConverted { notes.append(.companion) }
      notes += Comparison.Note.trust(first.trust, "first")
      notes += [first.ofOtherKind.note("the first record")].compactMap(\.self)
    }
    let side: ComparedRecord
    if let first { side = first } else { side = try conversions.read(legacy, receivedAt, for: record, tools.two) }
    notes +=
      Comparison.Note.trust(record.trust, "second") + [record.ofOtherKind.note("the second record")].compactMap(\.self)
    if !record.hasPayload { notes.append(.noPayload) }
    let comparer = RowComparer(tools, side, record)
    try PairComparer(
      legacy: side, server: record, comparer: comparer, hasStoreKit: storekit, isSingleItem: item != nil
    ).compare()
    if record.form == .parts || !record.hasEnvelope { notes.append(.partial) }
    if record.form == .notification || record.form == .parts { notes += Comparison.Note.about(comparer.rows) }
    return Comparison(
      legacy: Comparison.Side(name: names.legacy, description: side.words),
      server: Comparison.Side(name: names.server, description: record.words), isFromVersion1: first == nil,
      fields: comparer.rows, notes: notes)
  }

  private func firstAsV2(_ bytes: [UInt8], beside other: ComparedRecord) throws(ComparisonError) -> ComparedRecord? {
    do throws(ComparisonError) {
      return try records.read(bytes, side: .legacy, beside: other)
    } catch {
      switch error.reason {
      // The legacy reader says more exactly what is wrong with it.
      case .legacyAsServer, .unknownForm, .json: return nil
      default: throw error
      }
    }
  }
}

/// What comparing needs, made once for many pairs.
final class ComparisonTools {
  let rules: RuleSet
  let table = ShapeTable()
  let comparer: ViewComparer
  let one: RecordView
  let two: RecordView

  init(_ rules: RuleSet) {
    self.rules = rules
    comparer = ViewComparer(rules, keepsPlaces: true)
    (one, two) = (RecordView(table), RecordView(table))
  }
}

extension ComparedRecord {
  fileprivate var words: String {
    let trust =
      trust.unverified == 0
      ? ""
      : !trust.isVerified ? ", signature not verified" : trust.hasUnsigned ? ", partly signed" : ", signature verified"
    return description + (migration == nil ? "" : ", converted from version 1") + trust
  }
}

extension Comparison.Note {
  fileprivate static func trust(_ record: ComparedRecord.SignatureTrust, _ which: String) -> [Comparison.Note] {
    guard record.unverified > 0 else { return [] }
    guard record.isVerified else { return [unverified(record.unverified, which)] }
    guard record.hasUnsigned else { return [] }
    let message = "a part of the \(which) record is outside of the signed part"
    return [Comparison.Note(code: "unsigned", isWarning: true, message: message)]
  }

  private static func unverified(_ count: Int, _ which: String) -> Comparison.Note {
    let payloads = count == 1 ? "1 signed payload" : "\(count) signed payloads"
    return Comparison.Note(
      code: "unverified", isWarning: true,
      message: "\(payloads) of the \(which) record decoded without trust: no signature was verified")
  }

  /// What the rows say of the pair as a whole.
  fileprivate static func about(_ fields: FieldDifferences) -> [Comparison.Note] {
    var notes: [Comparison.Note] = []
    let ids = ["webOrderLineItemId", "originalTransactionId"].map { "data.transactionInfo." + $0 }
    let conflicts = fields.indices.lazy.filter { fields.facts($0).differenceClass == .conflict }.map { fields[$0] }
      .filter { $0.v2 != nil }.compactMap(\.v2Path)
    if Set(conflicts).isSuperset(of: ids) {
      notes.append(
        Comparison.Note(
          code: "otherEvent", isWarning: true,
          message: "webOrderLineItemId and originalTransactionId both differ: this is probably not the same event"))
    }
    // It stands where Apple's order begins.
    if let type = fields.prefix(1).first, type.v2Path == "notificationType", type.isAcceptedReading {
      notes.append(Comparison.Note(code: "reading", isWarning: false, message: type.explanation))
    }
    return notes
  }

  fileprivate static let companion = Comparison.Note(
    code: "companion", isWarning: true,
    message: "the first record is a converted companion message, whose transaction differs from that of V2's event; "
      + "transactionInfo was not compared: compare the version 1 record itself")

  fileprivate static let noPayload = Comparison.Note(
    code: "noPayload", isWarning: true,
    message: "the second record has none of data, summary, externalPurchaseToken, appData and unclaimInfo: it was read "
      + "as it is, and contains no purchase")

  fileprivate static let partial = Comparison.Note(
    code: "partial", isWarning: false,
    message: "the second record is a part of an event; only that part was compared")
}
