@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) package import SlipcastWire

/// Facts of the current record for storing and sorting converted records.
extension Converter {
  /// The `notificationUUID` that was cast last, as two halves.
  package var notificationUUID: (high: UInt64, low: UInt64) { state.identity.last }

  /// The event's `signedDate`, or the time of an answer's request; milliseconds since 1970 UTC.
  package var signedDate: Int64? { state.receivedAt ?? state.eventTime }

  /// When the event happened according to V1; milliseconds since 1970 UTC.
  package var eventTime: Int64? { state.eventTime }

  /// That time is a date of the event's own transaction, which the line item already identifies.
  package var isEventTimeOfPeriod: Bool {
    guard let target = state.subject.target, state.eventTimeSource != 0 else { return false }
    let origin = state.record.rows.origin(state.periods[target].row)
    return (origin..<Int(state.record.tape[origin].nextOrSide)).contains(state.eventTimeSource)
  }

  /// When the record was received; milliseconds since 1970 UTC.
  package var receivedAt: Int64? { state.receivedAt }

  /// The current record is a notification.
  package var isOfNotification: Bool { state.record.form == .notification }

  /// V1's type of the event.
  package var notification_type: String? { notificationTypeText?.string }

  /// V1's type of the event, where it stands.
  package var notificationTypeText: JSONText? {
    let record = state.record
    return record.form == .notification ? record.text(record.body, .notification_type) : nil
  }

  /// The bundle id as the record states it.
  package var bundleId: String? {
    let record = state.record
    let stated = record.text(record.body, .bid) ?? record.flat.flatMap { record.text($0, .bid) }
    return (stated ?? record.receipt.flatMap { record.text($0, .bundle_id) })?.string
  }

  /// The findings about the converted record, one for each code.
  package var repeatedFindings: [RepeatedFinding] {
    let record = state.record
    var findings: [RepeatedFinding] = []
    state.forEachFinding { finding in
      if let place = findings.firstIndex(where: { $0.code == finding.code }) {
        findings[place].occurrences += 1
      } else {
        let path =
          finding.index == 0 ? "" : JSONPath(tape: record.tape, index: finding.index, from: record.root).description
        findings.append(
          RepeatedFinding(
            code: finding.code, severity: finding.severity.rawValue, occurrences: 1, path: path,
            message: finding.message))
      }
    }
    return findings
  }
}

/// The findings of one code in a record, as a store keeps them.
package struct RepeatedFinding: Hashable, Sendable {
  /// One word for programs.
  package var code: String
  /// `info` or `warning`.
  package var severity: String
  /// How many there are in the record.
  package var occurrences: Int
  /// The legacy value that shows it first; empty for the record itself.
  package var path: String
  /// One sentence; never a value of the record.
  package var message: String

  package init(code: String, severity: String, occurrences: Int, path: String, message: String) {
    (self.code, self.severity, self.occurrences) = (code, severity, occurrences)
    (self.path, self.message) = (path, message)
  }
}
