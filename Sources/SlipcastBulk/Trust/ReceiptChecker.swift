@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastReceipts
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// Verifies the receipts of legacy records during a conversion, for one worker.
final class ReceiptChecker {
  private let verifier: SignedRecordVerifier
  private let isRequired: Bool

  init(policy: VerificationPolicy, rules: RuleSet, isRequired: Bool) {
    verifier = SignedRecordVerifier(stored: policy, rules: rules)
    self.isRequired = isRequired
  }

  /// The findings about the receipts of a record; an error instead, where only trusted receipts are accepted.
  func remarks(on record: LegacyRecord, in rows: RowReader) throws(RecordFault) -> [Converter.Remark] {
    var remarks: [Converter.Remark] = []
    if let receipt = rows.receipt {
      try note(verifier.verify(text: receipt.bytes.buffer.span), at: 0, "", in: &remarks)
      return remarks
    }
    let places = Self.receipts(of: record)
    if places.isEmpty { try note(Verdict(refusal: Refusal(.nothingSigned)), at: 0, "", in: &remarks) }
    for index in places {
      let path = JSONPath(tape: record.tape, index: index).description
      var verdict = verifier.verify(text: record.tape.text(index).buffer.span)
      if verdict.isValid, let own = Self.bundleId(of: record),
        verdict.bundleId.map({ !$0.isSameSpelling(as: own) }) ?? true
      {
        // A genuine receipt of another app proves nothing about this record.
        verdict.refusal = Refusal(.bundleIdMismatch, "the record names another one")
      }
      try note(verdict, at: index, rows.prefix + path, in: &remarks)
    }
    return remarks
  }

  /// The findings about the signatures of a V2 record; an error instead, where only trusted ones are accepted.
  func findings(onServer record: JSONText, in rows: RowReader) throws(RecordFault) -> [RepeatedFinding] {
    var remarks: [Converter.Remark] = []
    var findings: [RepeatedFinding] = []
    for verdict in verifier.verify(Array(record.buffer)) {
      remarks.removeAll()
      try note(verdict, at: 0, rows.path(verdict.path), in: &remarks)
      for remark in remarks {
        if let place = findings.firstIndex(where: { $0.code == remark.code }) {
          findings[place].occurrences += 1
        } else {
          findings.append(
            RepeatedFinding(
              code: remark.code, severity: Finding.Severity.warning.rawValue, occurrences: 1, path: verdict.path,
              message: remark.message))
        }
      }
    }
    return findings
  }

  private func note(
    _ verdict: Verdict, at index: Int, _ path: String, in remarks: inout [Converter.Remark]
  ) throws(RecordFault) {
    if let refusal = verdict.refusal {
      guard !isRequired else {
        throw RecordFault(
          stage: .verify, code: refusal.reason.rawValue, path: path, message: refusal.description)
      }
      let code = refusal.reason == .nothingSigned ? "nothingSigned" : "unverified"
      remarks.append(Converter.Remark(code: code, message: "\(refusal.reason.rawValue): \(refusal)", index: index))
    } else if verdict.isUnverified {
      remarks.append(
        Converter.Remark(
          code: "unverified", message: "accepted on request, without a trusted signature", index: index))
    }
  }

  /// The bundle id that the record itself names.
  private static func bundleId(of record: LegacyRecord) -> String? {
    let places: [(row: Int?, key: LegacyKey)] = [
      (record.body, .bid), (record.receipt, .bundle_id), (record.flat, .bid),
    ]
    for place in places {
      guard let row = place.row else { continue }
      let index = record.rows.slot(row, place.key)
      if index != 0, record.tape[index].kind == .string { return record.tape.text(index).string }
    }
    return nil
  }

  /// The receipts in a record, as indexes on its tape.
  private static func receipts(of record: LegacyRecord) -> [Int] {
    var places: [Int] = []
    for row in [record.body, record.unifiedReceipt].compactMap(\.self) {
      for key in [LegacyKey.latest_receipt, .latest_expired_receipt] {
        let index = record.rows.slot(row, key)
        if index != 0, record.tape[index].kind == .string { places.append(index) }
      }
    }
    return places
  }
}
