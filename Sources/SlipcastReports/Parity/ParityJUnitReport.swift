import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// The form that build servers read: a test case for access, one per gate, and one per path.
struct ParityJUnitReport {
  let result: ParityResult

  var text: String {
    let fields = result.fields.enumerated().map { ParityField($0.element, number: $0.offset + 1, of: result) }
    return JUnitSuite(
      command: "slipcast parity", name: "\(result.legacy.shownName) and \(result.server.shownName)",
      cases: [access] + result.gates.map(test) + fields.filter { $0.pairs > 0 }.map(test),
      properties: result.originWords?.properties ?? [], output: result.notes.lines
    ).text
  }

  private var access: JUnitCase {
    let access = ParityAccess(parity: result.entitlement)
    guard result.accessFails else {
      let accepted = access.hasConflicts ? " (accepted)" : ""
      return test("entitlement", "entitlement", .passed(access.headline + accepted))
    }
    let text = ParityAccessText(access: access, fails: true, ink: Ink(isColored: false), isVerbose: true)
    let details = TextLayout.blocks(text.blocks)
    return test("entitlement", "entitlement", .failed(message: access.headline, type: "entitlement", details: details))
  }

  private func test(_ gate: ParityResult.Gate) -> JUnitCase {
    let message = gate.shownMessage
    guard !gate.holds else { return test(gate.shownName, "gate", .passed(message)) }
    return test(gate.shownName, "gate", .failed(message: message, type: "gate", details: message + "\n"))
  }

  private func test(_ field: ParityField) -> JUnitCase {
    let remark = [field.countWords, field.acceptedWords].compactMap(\.self).joined(separator: "; ")
    guard field.fails else {
      let isAccepted = field.accepted > 0 && field.accepted == field.conflicts
      return test(field.path, "field", isAccepted ? .skipped("accepted by a baseline: \(remark)") : .passed(remark))
    }
    let message = "\(field.agreement) of \(Words.count(field.pairs, "pair")) agree: \(remark)"
    let text = ParityFieldText(field: field, ink: Ink(isColored: false), isVerbose: true)
    let details = text.samples.map { $0 + "\n" }.joined()
    return test(field.path, "field", .failed(message: message, type: field.worst.rawValue, details: details))
  }

  private func test(_ name: String, _ kind: String, _ outcome: JUnitCase.Outcome) -> JUnitCase {
    JUnitCase(name: name, className: "slipcast.parity.\(kind)", outcome: outcome)
  }
}
