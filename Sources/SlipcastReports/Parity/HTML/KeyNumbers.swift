import SlipcastComparison
import SlipcastMapping
import SlipcastWire

/// The numbers that a reader wants first, each a link to its part of the page.
struct KeyNumbers {
  /// How a number is to be taken.
  private enum Tone: String {
    case conflict, timeDependent, parity, identical

    /// The given tone, unless there is nothing.
    init(_ tone: Tone, unless isFine: Bool) { self = isFine ? .parity : tone }
  }

  let result: ParityResult

  func add(to header: HTMLElement) {
    let list = header.add("ul", ["class": "key"])
    let (access, pairs) = (result.entitlement, result.pairs)
    number(
      list, "access", access.conflicts,
      access.conflicts == 1 ? "pair with another access" : "pairs with another access",
      Tone(result.accessFails ? .conflict : .timeDependent, unless: access.conflicts == 0))
    number(
      list, "records", text: result.agreement, "of the events agree",
      Tone(pairs.compared == 0 ? .identical : .conflict, unless: pairs.compared > 0 && pairs.conflicting == 0))
    let fields = result.fields.count { $0.count(.conflict) > 0 }
    if !result.fields.isEmpty {
      number(
        list, "agreement", fields, fields == 1 ? "path in conflict" : "paths in conflict",
        Tone(.conflict, unless: fields == 0))
    }
    let unpaired = pairs.legacyWithoutServer + pairs.serverWithoutLegacy
    number(
      list, result.unpaired.isEmpty ? "records" : "unpaired", unpaired,
      unpaired == 1 ? "event without its counterpart" : "events without their counterpart",
      Tone(.timeDependent, unless: unpaired == 0))
    let failing = result.failingGates.count
    number(list, "gates", failing, failing == 1 ? "gate fails" : "gates fail", Tone(.conflict, unless: failing == 0))
  }

  private func number(_ list: HTMLElement, _ id: String, _ number: Int, _ words: String, _ tone: Tone) {
    self.number(list, id, text: number.grouped, words, tone)
  }

  private func number(_ list: HTMLElement, _ id: String, text: String, _ words: String, _ tone: Tone) {
    let link = list.add("li", ["class": tone.rawValue]).add("a", ["href": "#\(id)"])
    link.add("strong").add(number: text)
    link.add(text: " ")
    link.add("span", text: words)
  }
}
