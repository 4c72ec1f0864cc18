@_spi(Slipcast) internal import SlipcastLegacy
package import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

extension Converter {
  /// The account of the conversion in words; call after `convert`.
  package func account() -> Account {
    entries.fill()
    return Account(entries, rule: rule, confidence: confidenceOfOutput)
  }

  /// Writes the account of the conversion as members of a JSON object, without braces; call after `convert`.
  package func writeAccount(to writer: JSONWriter) {
    entries.fill()
    writer.member("rule", rule)
    writer.member("confidence", confidenceOfOutput.rawValue)
    let reading = migrationReading
    for (name, told) in [("settled", reading.settled), ("narrowed", reading.narrowed)] {
      guard let told else { continue }
      writer.key(name)
      told.write(to: writer)
    }
    entries.write(to: writer)
  }

  /// How well the event is known, where the output contains one.
  package var confidenceOfOutput: Confidence {
    switch tree.form {
    case .notification: confidence
    // What a purchase says of the app is a conclusion.
    case .appTransaction where record.receipt == nil: .inferred
    case .history, .statuses, .appTransaction: .documented
    }
  }

  package func count(into counts: inout FindingCounts) {
    for finding in record.findings { counts.add(finding.drift) }
    for (note, _) in builder.notes.notes {
      if note != .decision {
        counts.add(note)
      } else if let finding = builder.decision?.finding {
        counts.add(finding.code, 1)
      }
    }
    for remark in builder.notes.remarks { counts.add(remark.code, 1) }
  }

  /// The place of the event's row, or of its settled reading, in `RuleSet.comparedTypes`.
  package var decisionNumber: Int? {
    guard let decision = builder.decision else { return nil }
    return settlement.map {
      compiled.rules.settledPlace(decision.number, candidate: $0.candidate, isAbsorbed: isAbsorbed)
    } ?? decision.number
  }

  package var confidence: Confidence {
    builder.reading?.confidence ?? .documented
  }

  /// Other events that stay possible because the record does not show what would rule them out.
  package var otherReadings: [EventName] {
    guard let mask = builder.reading?.others, !mask.isEmpty else { return [] }
    return compiled.events.indices.filter { mask.rawValue & 1 << UInt64($0) != 0 }.map { compiled.events[$0] }
  }

  /// The same besides those that the row accepts, and what of the row the record rules out.
  package var eventChoices: EventChoices {
    guard let reading = builder.reading else { return EventChoices() }
    return EventChoices(added: reading.alternatives, excluded: reading.excluded)
  }

  package var isAmbiguous: Bool { builder.reading?.isAmbiguous ?? false }

  /// What a status of verifyReceipt means, from the rules.
  package func meaning(ofStatus status: Int64) -> String {
    let values = compiled.rules.values.filter { $0.of == "verifyReceipt.status" }
    let exact = values.first { $0.value == "\(status)" }
    let range = values.first { entry in
      let bounds = entry.value.split(separator: "-").compactMap { Int64($0) }
      return bounds.count == 2 && (bounds[0]...max(bounds[0], bounds[1])).contains(status)
    }
    return (exact ?? range)?.meaning ?? "a status that Apple does not document"
  }

  /// True when the message is a companion that V2 never sends.
  package var isAbsorbed: Bool { builder.reading?.isAbsorbed ?? false }
}
