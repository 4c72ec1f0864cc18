internal import SlipcastMapping
internal import SlipcastReceipts
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

final class BlockVerifier: RecordTask {
  private let options: VerifyOptions
  private var body: JSONPointer?
  let reader: JSONReader
  private let verifier: SignedRecordVerifier
  let output = JSONWriter(capacity: Block.size)
  var book = BlockBook()
  private var counts = VerifyCounts()

  init(rules: RuleSet, options: VerifyOptions) {
    self.options = options
    reader = JSONReader(names: SignedRecordVerifier.names, limits: JSONLimits(recordBytes: options.recordBytes))
    verifier = SignedRecordVerifier(stored: options.policy, rules: rules)
  }

  /// The verdicts since they were last taken.
  func takeCounts() -> VerifyCounts {
    defer { counts = VerifyCounts() }
    return counts
  }

  func turn(to pointers: RowPointers) { body = pointers.body }

  private(set) var hasRejectedLast = false
  var takesLinesApart: Bool { true }
  var isFull: Bool { output.count >= Self.partBytes }

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    guard let pointer = body else {
      if let body = RowReader.journalBody(tape) {
        return note(verifier.verify(Array(body.buffer)), range, block)
      }
      var verdicts = PlainRecord.json(tape).map { verifier.verify($0) } ?? verifier.verify(tape)
      if verdicts.first?.refusal?.reason == .nothingSigned, let foreign = ForeignEnvelope(tape, 0) {
        verdicts = [Verdict(refusal: Refusal(.nothingSigned, foreign.words))]
      }
      return note(verdicts, range, block, isEmpty: Self.isEmptyResponse(tape))
    }
    do throws(Refusal) {
      let body = try WrappedBody(at: pointer, in: tape, limit: options.recordBytes)
      var verdicts = verifier.verify(body.text)
      for place in verdicts.indices { verdicts[place].path = body.path(verdicts[place].path) }
      note(verdicts, range, block)
    } catch {
      note([Verdict(refusal: error)], range, block)
    }
  }

  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    if let refusal = body.flatMap(WrappedBody.refusal) {
      return note([Verdict(refusal: refusal)], range, block)
    }
    note(verifier.verify(WrappedBody.unwrapped(text.bytes.buffer.span, options.recordBytes)), range, block)
  }

  /// Text that is not JSON may still be meant as a token or receipt.
  func refuse(_ fault: RecordFault, at range: Range<Int>, in block: Block) {
    let text = block.text(range).buffer
    let isTooLarge = fault.code == "recordTooLarge"
    var verdict = isTooLarge ? Verdict(refusal: Refusal(.tooLarge)) : verifier.verify(text: text.span)
    if let refusal = verdict.refusal, refusal.reason == .unrecognized, refusal.detail == nil {
      verdict.refusal = Refusal(.unrecognized, fault.message)
    }
    note([verdict], range, block)
    hasRejectedLast = true
  }

  /// A response of Apple's server that lists nothing: no transactions, subscriptions or notifications.
  private static func isEmptyResponse(_ tape: JSONTape) -> Bool {
    let root = JSONElement(tape: tape)
    guard root["transactions"] == nil, root["hasMore"] != nil || root["slipcast"] != nil || root["data"] != nil else {
      return false
    }
    let lists = ["signedTransactions", "data", "notificationHistory"].compactMap { root[$0] }
    return lists.allSatisfy { $0.kind == .array && $0.children.isEmpty } && (!lists.isEmpty || root["slipcast"] != nil)
  }

  private func note(_ verdicts: [Verdict], _ range: Range<Int>, _ block: Block, isEmpty: Bool = false) {
    book.counts.read += 1
    book.counts.converted += 1
    hasRejectedLast = false
    let place = RecordPlace(range, in: block, &book)
    for verdict in verdicts {
      VerdictLine(place: place, verdict: verdict).write(to: output, asText: options.isText)
      if let reason = verdict.refusal?.reason { counts.reasons[reason, default: 0] += 1 }
    }
    if isEmpty, verdicts.allSatisfy({ $0.refusal?.reason == .nothingSigned }) {
      counts.empty += 1
    } else if verdicts.allSatisfy(\.isValid) {
      counts.valid += 1
      if verdicts.contains(where: { $0.revocation?.reason != nil }) { counts.undetermined += 1 }
      if verdicts.contains(where: \.isUnverified) { counts.unverified += 1 }
    } else {
      counts.invalid += 1
    }
  }
}
