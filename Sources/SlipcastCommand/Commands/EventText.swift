import SlipcastMapping
internal import SlipcastV2

/// Prints on one screen which V1 messages become the events of a V2 type, and which of them V1 never sends.
struct EventText {
  let table: EventTable

  /// The whole page: as many rows of each V1 type as fit on the screen.
  var text: String {
    let most = table.sections.flatMap(\.origins).map(\.rows.count).max() ?? 0
    var page = Screen.Page()
    for count in (0...most).reversed() {
      page = Screen.Page(opening: opening, body: body(count), closing: closing)
      if page.isFitting { break }
    }
    return page.text(omitting: "more: add --verbose")
  }

  private var opening: [String] {
    let says =
      table.sections.contains { !$0.origins.isEmpty }
      ? "The V1 messages that become it, and when."
      : "V1 never sends it."
    return ["\(table.type) (V2 notification type)"] + Screen.wrapped(says, 2)
  }

  private func body(_ count: Int) -> [String] {
    table.sections.flatMap { section in
      var lines = ["  \(section.event)"]
      let never = section.origins.isEmpty ? "V1 never sends it" : "V1 has no separate message for it"
      for server in section.never {
        lines += Screen.wrapped("\(never)\(server.limit). Trace in V1: \(server.trace)", 4, 2)
      }
      for origin in section.origins { lines += self.lines(origin, count) }
      return lines
    }
  }

  private func lines(_ origin: EventTable.Origin, _ count: Int) -> [String] {
    let shown = origin.rows.prefix(count).map { row in
      Screen.clause(row.meaning.v1 ?? row.id) + (row.isAbsorbed ? ", as a companion message" : "")
        + " [\(row.confidence)]"
    }
    let rest = origin.rows.count - shown.count
    let more = rest == 0 ? [] : [shown.isEmpty ? "\(rest) rules" : "\(rest) more"]
    return Screen.wrapped("\(origin.type): " + (shown + more).joined(separator: "; "), 4, 2)
  }

  private var closing: [String] {
    var words: [String] = []
    if !table.grouping.isEmpty {
      words.append(
        "Several V1 messages report one such event: slipcast explain \(table.grouping.joined(separator: " ")).")
    }
    if table.sections.contains(where: { $0.origins.contains { $0.rows.contains { $0.confidence == .ambiguous } } }) {
      words.append("[ambiguous]: V1 does not decide between this event and another one.")
    }
    let row = table.sections.flatMap(\.origins).first?.rows.first?.id ?? table.sections.first?.never.first?.id
    words.append("Details and sources: add --verbose" + (row.map { "; one row: slipcast explain \($0)" } ?? ""))
    return Screen.wrapped(words.joined(separator: " "))
  }
}
