import SlipcastMapping
import SlipcastWire

/// Prints what a search found: a line for each of the best entries, and the page of one that is clearly the best.
struct SearchText {
  let query: String
  let hits: [SearchIndex.Hit]

  private static let most = 8

  var shown: ArraySlice<SearchIndex.Hit> { hits.prefix(Self.most) }

  /// The entry that is clearly the best; `nil` where several are.
  var clear: SearchIndex.Hit? {
    guard let first = hits.first, first.hasAllWords else { return nil }
    guard hits.count > 1 else { return first }
    return first.score >= 1.3 * hits[1].score ? first : nil
  }

  var text: String {
    let width = shown.map { quoted($0.entry.name).count }.max() ?? 0
    let lines = shown.map { hit in
      "  " + Self.cut("\(TextLayout.padded(quoted(hit.entry.name), to: width))  \(hit.entry.summary)", to: 98) + "\n"
    }
    return heading + "\n\n" + lines.joined() + ending
  }

  private var heading: String {
    let all = hits.first?.hasAllWords ?? false
    if hits.count == 1 {
      return all ? "One entry matches \"\(query)\":" : "No entry has all words of \"\(query)\"; nearest:"
    }
    let best = hits.count > shown.count ? "; the best \(shown.count)" : ""
    return all
      ? "\(hits.count) entries match \"\(query)\"\(best):"
      : "No entry has all words of \"\(query)\"; \(hits.count) have most of them\(best):"
  }

  private var ending: String {
    guard clear == nil, let first = hits.first else { return "" }
    return "\nDetails of one: slipcast explain \(quoted(first.entry.name))\n"
  }

  private func quoted(_ name: String) -> String { name.contains(" ") ? "\"\(name)\"" : name }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(width - 1) + "…"
  }
}
