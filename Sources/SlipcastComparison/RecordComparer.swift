internal import SlipcastLegacy
public import SlipcastMapping
internal import SlipcastV2
public import SlipcastWire

/// Compares a legacy record with the V2 record of the same event, field by field.
///
/// The legacy record is cast by the rules; each field's class comes from the rule that speaks of it. A V2 record may
/// stand in the place of the legacy one.
///
///     let comparer = try RecordComparer()
///     let comparison = try comparer.compare(legacy: v1, server: v2)
///     for field in comparison.fields where comparison.fails(field) { print(field.path, field.explanation) }
///
/// A comparer serves one thread at a time.
public final class RecordComparer {
  let rules: RuleSet
  let caster: LegacyCaster
  private let views: ViewPair
  /// The item of the server's answer that is compared, by its number as views have it; `nil` for all items.
  ///
  /// 0 stands for the whole record. What else the legacy record has is not missing.
  package var item: UInt64?

  /// A comparer with rules of your own, or the built-in ones.
  ///
  /// - Throws: `MappingErrors`; for the built-in rules only a broken build can cause it.
  public init(rules: RuleSet? = nil, options: CastOptions = CastOptions()) throws {
    self.rules = try rules ?? RuleSet.builtIn()
    views = ViewPair(self.rules)
    caster = LegacyCaster(mould: LegacyCaster.Mould(rules: self.rules), options: options)
  }

  /// Compares one pair.
  ///
  /// - Parameters:
  ///   - legacy: JSON of a version 1 notification or a verifyReceipt answer; or a V2 record as for `server`.
  ///   - server: a V2 record: decoded JSON as Slipcast writes it, `{"signedPayload"}`, a bare JWS, a status or history
  ///     answer, a transaction or renewal info, each decoded or signed. Signatures are not verified.
  ///   - receivedAt: when the legacy record was received, where that is known.
  ///   - names: what the two are called in reports.
  ///   - verified: the sides whose signatures the caller has verified and found good.
  ///   - storekit: adds what a device would have said to the fields of a renewal.
  /// - Throws: `ComparisonError` for a side that cannot be read or does not fit the other; it shows no value.
  public func compare(
    legacy: [UInt8], server: [UInt8], receivedAt: Timestamp? = nil,
    names: (legacy: String, server: String) = ("legacy", "server"), storekit: Bool = false,
    verified: Set<ComparisonError.Side> = []
  ) throws(ComparisonError) -> Comparison {
    guard var record = try V2Reader.read(server, side: .server).only(item ?? 0) else {
      throw ComparisonError(.server, .unlisted)
    }
    record.isVerified = verified.contains(.server)
    var side: CastSide
    var notes: [Comparison.Note] = []
    if var first = try firstAsV2(legacy) {
      first.isVerified = verified.contains(.legacy)
      side = CastSide(first, beside: record)
      if first.migration?.absorbed != nil, side.isFromLegacy { notes.append(.companion) }
      notes += Comparison.Note.trust(first, "first")
    } else {
      side = try cast(legacy, for: record, receivedAt)
    }
    notes += Comparison.Note.trust(record, "second")
    if record.hasNoPayload { notes.append(.noPayload) }
    let (description, isVersion1) = (side.description, side.isVersion1)
    let compared = try PairComparer(
      rules: rules, side: side, record: record, comparer: RowComparer(rules, side, views), hasStoreKit: storekit,
      isSingleItem: item != nil
    ).fields()
    if case .parts = record.content { notes.append(.partial) }
    notes += Comparison.Note.about(compared)
    return Comparison(
      legacy: Comparison.Side(name: names.legacy, description: description),
      server: Comparison.Side(name: names.server, description: record.description), isFromVersion1: isVersion1,
      fields: compared, notes: notes)
  }

  /// The first record as V2, unless it is a legacy one.
  private func firstAsV2(_ bytes: [UInt8]) throws(ComparisonError) -> V2Record? {
    do throws(ComparisonError) {
      return try V2Reader.read(bytes, side: .legacy)
    } catch {
      switch error.reason {
      // The legacy reader says more exactly what is wrong with it.
      case .legacyAsServer, .unknownForm, .json: return nil
      default: throw error
      }
    }
  }

  private func cast(
    _ bytes: [UInt8], for record: V2Record, _ receivedAt: Timestamp?
  ) throws(ComparisonError) -> CastSide {
    do {
      return try castSide(bytes, record, receivedAt)
    } catch let error as CastError where error.reason == .noEvent {
      let kinds = ComparisonError.Reason.kindsDiffer(legacy: "verifyReceipt answer", server: record.content.description)
      throw ComparisonError(.server, kinds)
    } catch {
      throw ComparisonError(castFault: error)
    }
  }

  private func castSide(_ bytes: [UInt8], _ record: V2Record, _ receivedAt: Timestamp?) throws -> CastSide {
    let emission: Emission =
      switch record.content {
      case .notification: .notification
      case .history: .history
      case .statuses: .statuses
      case .parts(_, let renewal, let status):
        try partsEmission(bytes, hasRenewal: renewal != nil || status != nil)
      }
    let cast = try caster.cast(bytes, receivedAt: receivedAt, into: emission)
    var side = CastSide(cast, description: Self.description(cast), beside: record)
    if case .notification(let server) = record.content, side.decision(rules)?.isAbsorbed == true {
      try side.turn(to: server.data?.transactionInfo) { try caster.cast(bytes, receivedAt: receivedAt, into: .history) }
    }
    return side
  }

  /// Parts are compared with a notification's own parts, with a receipt's history or statuses.
  private func partsEmission(_ bytes: [UInt8], hasRenewal: Bool) throws -> Emission {
    switch try LegacyDocument(json: bytes).form {
    case .notification: .notification
    case .verifyReceipt: hasRenewal ? .statuses : .history
    }
  }

  private static func description(_ cast: Cast) -> String {
    switch cast.form {
    case .verifyReceipt: return "verifyReceipt answer"
    case .notification:
      let type = cast.account.fields.first { $0.v2Path == "notificationType" }?.v1Value
      return ["version 1 notification", type?.unquoted].compactMap(\.self).joined(separator: " ")
    }
  }
}

extension Comparison.Note {
  /// What to know of a record's signatures.
  fileprivate static func trust(_ record: V2Record, _ which: String) -> [Comparison.Note] {
    guard record.unverified > 0 else { return [] }
    guard record.isVerified else { return [unverified(record.unverified, which)] }
    guard record.unsigned > 0 else { return [] }
    let message = "a part of the \(which) record stands outside of what is signed"
    return [Comparison.Note(code: "unsigned", isWarning: true, message: message)]
  }

  private static func unverified(_ count: Int, _ which: String) -> Comparison.Note {
    let payloads = count == 1 ? "1 signed payload" : "\(count) signed payloads"
    return Comparison.Note(
      code: "unverified", isWarning: true,
      message: "\(payloads) of the \(which) record decoded without trust: no signature was verified")
  }

  /// What the rows say of the pair as a whole.
  fileprivate static func about(_ fields: [FieldDifference]) -> [Comparison.Note] {
    var notes: [Comparison.Note] = []
    let conflicts = Set(fields.filter { $0.differenceClass == .conflict }.compactMap(\.v2Path))
    let ids = ["webOrderLineItemId", "originalTransactionId"].map { "data.transactionInfo." + $0 }
    if ids.allSatisfy(conflicts.contains) {
      notes.append(
        Comparison.Note(
          code: "otherEvent", isWarning: true,
          message: "webOrderLineItemId and originalTransactionId both differ: this is probably not the same event"))
    }
    if let type = fields.first(where: { $0.v2Path == "notificationType" }), type.isAcceptedReading {
      notes.append(Comparison.Note(code: "reading", isWarning: false, message: type.explanation))
    }
    return notes
  }

  fileprivate static let companion = Comparison.Note(
    code: "companion", isWarning: true,
    message: "the first record is the cast of a companion message, which tells another transaction than V2's event; "
      + "transactionInfo was not compared: compare the version 1 record itself")

  fileprivate static let noPayload = Comparison.Note(
    code: "noPayload", isWarning: true,
    message: "the second record has none of data, summary, externalPurchaseToken, appData and unclaimInfo: it was read "
      + "as it is, and says nothing of a purchase")

  fileprivate static let partial = Comparison.Note(
    code: "partial", isWarning: false,
    message: "the second record is a part of an event; only that part was compared")
}
