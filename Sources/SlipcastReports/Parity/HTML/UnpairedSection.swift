import SlipcastComparison
import SlipcastWire

/// Events of which only one side knows.
struct UnpairedSection {
  let result: ParityResult

  var part: ParityPart? {
    guard !result.unpaired.isEmpty else { return nil }
    return ParityPart(id: "unpaired", title: "Unpaired events", about: "Events that one side alone tells.") { section in
      for (reason, kinds) in result.unpairedByReason {
        let count = kinds.reduce(0) { $0 + $1.count }
        let title = "\(reason.title): \(count.grouped)"
        if reason.isOpen {
          section.add("h3", text: title)
          section.items(kinds, "kind") { list($0, section) }
        } else {
          let folded = section.folded(title)
          folded.items(kinds, "kind") { list($0, folded) }
        }
      }
    }
  }

  private func list(_ kinds: ArraySlice<ParityResult.UnpairedKind>, _ parent: HTMLElement) {
    let list = parent.add("ul", ["class": "findings"])
    for kind in kinds {
      let item = list.add("li")
      item.add("strong", ["class": "count"]).add(number: kind.count.grouped)
      let words = item.add("div")
      words.add("code", text: kind.shownEvent)
      words.add("p", text: kind.shownExplanation)
      let records = kind.recordWords(20)
      if !records.isEmpty { words.add("p", ["class": "about"], text: records.capitalizedFirst) }
    }
  }
}

/// V1 messages with more than one reading, and what would decide them.
struct AmbiguousSection {
  let result: ParityResult

  var part: ParityPart? {
    guard !result.ambiguous.isEmpty else { return nil }
    let about = "V1 messages that may be more than one V2 event, what V2 said they were, and what would have decided."
    return ParityPart(id: "ambiguous", title: "Ambiguous messages", about: about) { section in
      section.items(result.ambiguous, "kind") { for kind in $0 { add(kind, section) } }
    }
  }

  private func add(_ kind: ParityResult.AmbiguousKind, _ section: HTMLElement) {
    let heading = section.add("h3")
    heading.add("code", text: kind.shownLegacy)
    heading.add(text: " ")
    heading.add("span", ["class": "about"], text: "\(kind.shownRule), \(Words.count(kind.count, "message"))")
    let list = section.add("ul", ["class": "findings"])
    for reading in kind.readings {
      let words = item(reading.count, list)
      words.add("code", text: reading.shownEvent)
      words.add("p", text: "Decided by: \(reading.shownNeeds)")
    }
    if kind.other > 0 { item(kind.other, list).add(text: "V2 told something else") }
    if kind.undecided > 0 { item(kind.undecided, list).add(text: "No V2 notification: these stay open") }
  }

  private func item(_ count: Int, _ list: HTMLElement) -> HTMLElement {
    let item = list.add("li")
    item.add("strong", ["class": "count"]).add(number: count.grouped)
    return item.add("div")
  }
}
