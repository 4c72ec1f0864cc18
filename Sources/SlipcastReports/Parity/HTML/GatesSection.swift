import SlipcastComparison

/// The conditions that decide.
struct GatesSection {
  let result: ParityResult

  var part: ParityPart? {
    ParityPart(id: "gates", title: "Gates", about: "All of them have to hold for parity.") { section in
      let list = section.add("ul", ["class": "gates"])
      for gate in result.gates {
        let item = list.add("li", ["class": gate.holds ? "parity" : "conflict"])
        let outcome = item.add("span", ["class": "outcome"])
        outcome.add("span", ["aria-hidden": "true"], text: gate.holds ? "✓ " : "✕ ")
        outcome.add(text: gate.outcome)
        item.add(text: " ")
        item.add("code", text: gate.shownName)
        item.add(text: " ")
        item.add("span", text: gate.shownMessage)
      }
    }
  }
}

/// What became of the records.
struct RecordsSection {
  let result: ParityResult

  var part: ParityPart? {
    ParityPart(id: "records", title: "Records", about: "Each record is counted once; the columns add up.") { section in
      let balance = ParityBalance(result.pairs)
      HTMLTable(
        caption: "What became of the records of both archives", columns: ["Outcome", "V1", "V2"], rows: balance.texts,
        hasTotal: true
      ).add(to: section)
    }
  }
}

/// What to know about the run as a whole.
struct NotesSection {
  let result: ParityResult

  var part: ParityPart? {
    guard !result.notes.isEmpty else { return nil }
    return ParityPart(id: "notes", title: "Notes") { HTMLPage.notes(result.notes, $0) }
  }
}
