internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Reads converted lines, one after another; a reader reuses its memory on one thread.
final class EventReader {
  private let reader = JSONReader(names: [])

  /// The facts of a line; `nil` for a text that is not a decoded V2 notification.
  func facts(of body: [UInt8]) -> EventFacts? {
    let text = JSONBuffer(body)
    defer { withExtendedLifetime(text) {} }
    guard let tape = try? reader.read(text.base, count: text.count),
      let payload = try? ResponseBodyV2DecodedPayload(element: JSONElement(tape: tape))
    else { return nil }
    return EventFacts(payload)
  }

  /// Passes the root of a line to a function; the tape is valid only during the call.
  func withRoot(of body: [UInt8], _ use: (JSONElement) -> Void) {
    let text = JSONBuffer(body)
    defer { withExtendedLifetime(text) {} }
    guard let tape = try? reader.read(text.base, count: text.count) else { return }
    use(JSONElement(tape: tape))
  }
}

extension EventFacts {
  /// Reads the needed facts of a notification.
  init(_ payload: ResponseBodyV2DecodedPayload) {
    notificationUUID = payload.notificationUUID
    reading = payload.notificationType.map { type in
      EventName(notificationType: type.rawValue, subtype: payload.subtype?.rawValue)
    }
    signedDate = payload.signedDate?.milliseconds
    bundleId = payload.data?.bundleId
    environment = payload.data?.environment?.rawValue
    transaction = payload.data?.transactionInfo
    renewal = payload.data?.renewalInfo
    guard let migration = payload.migration else { return }
    isExplained = true
    rule = migration.rule
    confidence = migration.confidence.flatMap { RuleConfidence(rawValue: $0.rawValue) }
    // Candidates of a settled reading are only its history.
    candidates = migration.settled == nil ? migration.candidates ?? [] : []
    support = migration.settled.map(Self.support) ?? []
    autoRenewOnSince = migration.autoRenewOnSince?.milliseconds
    absorbedInto = migration.absorbed?.into
    isSettled = migration.settled != nil
    told = migration.companions?.compactMap(\.notification_type) ?? []
  }

  private static func support(_ settled: MigrationSettled) -> [String] {
    let records = (settled.by ?? []).map { witness in
      "record \(witness.record.map(String.init) ?? "?")" + (witness.source.map { " of \($0)" } ?? "")
    }
    let facts = (settled.facts ?? []).joined(separator: ", ")
    return ["settled by other messages: \(facts)"] + (records.isEmpty ? [] : [records.joined(separator: ", ")])
  }
}
