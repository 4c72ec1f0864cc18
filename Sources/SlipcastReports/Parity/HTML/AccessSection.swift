import SlipcastComparison
import SlipcastMapping
import SlipcastWire

/// Who would be served otherwise after the switch: the first of all findings.
struct AccessSection {
  let result: ParityResult
  private var access: ParityAccess { ParityAccess(parity: result.entitlement) }

  var part: ParityPart? {
    ParityPart(id: "access", title: "Access") { section in
      let isAccepted = access.hasConflicts && !result.accessFails
      let tone = isAccepted ? DifferenceClass.timeDependent : access.tone
      let panel = section.add("div", ["class": "panel \(tone?.rawValue ?? "parity")"])
      let lead = panel.add("p", ["class": "finding"])
      lead.add(
        "span", ["class": "sign", "aria-hidden": "true"],
        text: isAccepted
          ? "!" : access.hasConflicts ? "✕" : access.tone == nil ? "✓" : access.tone == .identical ? "?" : "!")
      lead.add(text: access.headline.capitalizedFirst + (isAccepted ? " (accepted)." : "."))
      if access.hasConflicts { outcomes(access.conflicts, panel.add("dl", ["class": "outcomes"])) }
      let others = access.others.filter { $0.count > 0 }
      if !others.isEmpty { outcomes(others, panel.add("dl", ["class": "outcomes small"])) }
      let rest = [access.accepted, access.judged > 0 ? access.time : nil].compactMap(\.self)
      for line in rest { panel.add("p", ["class": "about"], text: line.capitalizedFirst + ".") }
      samples(section)
    }
  }

  private func outcomes(_ outcomes: [ParityAccess.Outcome], _ list: HTMLElement) {
    for outcome in outcomes {
      let group = list.add("div")
      let term = group.add("dt", text: outcome.title)
      if !outcome.meaning.isEmpty { term.add("span", text: " \(outcome.meaning)") }
      group.add("dd").add(number: outcome.count.grouped)
    }
  }

  private func samples(_ section: HTMLElement) {
    guard !result.entitlement.samples.isEmpty else { return }
    let list = section.add("ol", ["class": "samples"])
    for sample in result.entitlement.samples {
      let item = list.add("li", ["class": "sample conflict"])
      PairLink(records: sample.records, number: result.pairNumber(sample.pair)).add(to: item)
      item.add("p", ["class": "meaning"], text: sample.shownExplanation)
      let facts = item.add("dl")
      for (label, words) in [
        ("V1", sample.legacy.words), ("V2", sample.server.words), ("As of", Words.moment(sample.asOf)),
      ] {
        facts.add("dt", text: label)
        facts.add("dd", text: words)
      }
    }
  }
}

/// The heading of a sample: its records, and the way to all fields of its pair.
struct PairLink {
  let records: String
  /// The number of the pair among those shown in full.
  let number: Int?
  /// The class of the difference, where there is one.
  var differenceClass: String?

  func add(to parent: HTMLElement) {
    let line = parent.add("p", ["class": "where"])
    if let differenceClass {
      line.add("span", ["class": "badge"], text: differenceClass)
      line.add(text: " ")
    }
    line.add("span", ["class": "records"], text: records)
    guard let number else { return }
    line.add(text: " ")
    line.add("a", ["href": "#pair-\(number)"], text: "All fields of pair \(number.grouped)")
  }
}
