@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

extension Caster {
  /// What a person should know about the record of the moment.
  func findings(_ paths: TapePaths) -> [Finding] {
    let record = state.record
    var result = record.findings.map { finding in
      Finding(
        code: finding.drift.code, severity: finding.drift.isWarning ? .warning : .info,
        path: paths.path(Int(finding.index)), message: finding.drift.message)
    }
    for (note, index) in state.notes {
      let path = index == 0 ? JSONPath() : paths.path(index)
      if note == .decision, let finding = state.decision?.finding {
        result.append(Finding(code: finding.code, severity: .warning, path: path, message: finding.message))
      } else {
        result.append(
          Finding(code: note.code, severity: note.isWarning ? .warning : .info, path: path, message: note.message))
      }
    }
    for remark in state.remarks {
      let path = remark.index == 0 ? JSONPath() : paths.path(remark.index)
      result.append(Finding(code: remark.code, severity: .warning, path: path, message: remark.message))
    }
    return result
  }

  /// Adds the findings of the record of the moment to running counts.
  package func count(into counts: inout FindingCounts) {
    for finding in state.record.findings { counts.drifts[Int(finding.drift.rawValue)] += 1 }
    for (note, _) in state.notes {
      if note == .decision, let code = state.decision?.finding?.code {
        counts.named[code, default: 0] += 1
      } else {
        counts.notes[Int(note.rawValue)] += 1
      }
    }
    for remark in state.remarks { counts.named[remark.code, default: 0] += 1 }
  }

  /// The confidence of the event of the moment.
  package var confidence: RuleConfidence {
    state.reading?.confidence ?? .documented
  }

  /// Other events that stay possible because the record does not show what would rule them out.
  package var otherReadings: [EventName] {
    guard let mask = state.reading?.alternatives, !mask.isEmpty else { return [] }
    return compiled.events.indices.filter { mask.rawValue & 1 << UInt64($0) != 0 }.map { compiled.events[$0] }
  }

  /// The same, as bits in the order of `RuleSet.events`.
  package var otherReadingsMask: EventMask { state.reading?.alternatives ?? EventMask() }

  /// True when more than one reading fits.
  package var isAmbiguous: Bool { state.decision?.isAmbiguous ?? false }

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
  package var isAbsorbed: Bool { state.decision?.isAbsorbed ?? false }

  /// The account of the conversion: call after `convert`.
  package func account() -> Account {
    let builder = AccountBuilder(self, rule: rule, confidence: tree.form == .notification ? confidence : .documented)
    // Objects around others come after them, as they always did.
    var envelope: ConversionTree.Object?
    tree.forEachObject { object, prefix in
      if object.part == .history || object.part == .statuses { return envelope = object }
      state.returnTo(object)
      builder.add(object, prefix: prefix)
      if object.part == (tree.form == .history ? .transaction : .renewal) { builder.useRows() }
    }
    if let envelope { builder.add(envelope, prefix: "") }
    builder.useRows()
    return builder.finish()
  }
}

extension ObjectPart {
  /// The family of its rules, and what stands before its members' names there.
  var rules: CompiledRules.ObjectName {
    switch self {
    case .notification: CompiledRules.ObjectName(family: "notification", under: "")
    case .data: CompiledRules.ObjectName(family: "notification", under: "data.")
    case .transaction: CompiledRules.ObjectName(family: "transaction", under: "")
    case .renewal: CompiledRules.ObjectName(family: "renewal", under: "")
    case .history: CompiledRules.ObjectName(family: "receipt", under: "")
    case .statuses: CompiledRules.ObjectName(family: "statuses", under: "")
    case .group: CompiledRules.ObjectName(family: "statuses", under: "data.")
    case .item: CompiledRules.ObjectName(family: "statuses", under: "data.lastTransactions.")
    }
  }
}
