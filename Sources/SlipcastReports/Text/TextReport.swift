import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// The form for a terminal.
struct TextReport {
  private let comparison: Comparison
  private let ink: Ink
  private let isVerbose: Bool

  init(comparison: Comparison, style: ReportStyle) {
    self.comparison = comparison
    ink = Ink(isColored: style.isColored)
    isVerbose = style.isVerbose
  }

  var text: String {
    var parts = [sides, notes, verdict]
    var collapsed: [String] = []
    for group in comparison.groups {
      let text = TextGroup(group: group, ink: ink, isVerbose: isVerbose)
      parts += text.blocks
      if let line = text.collapsedLine { collapsed.append(line) }
    }
    parts.append(collapsed)
    if isVerbose, let words = comparison.originWords {
      parts.append(
        ["inputs"] + words.lines.map { "  " + $0 } + TextLayout.wrapped(words.options, after: "  options  ")
          + ["  rules    \(words.shortRules)"])
    }
    if !isVerbose {
      parts.append([ink.dim("--verbose lists every field with its rule and sources; slipcast explain RULE tells more")])
    }
    return TextLayout.blocks(parts)
  }

  /// The two records: label, name, what each is.
  var sides: [String] {
    let names = [comparison.legacy.shownName, comparison.server.shownName]
    let width = names.map(\.count).max() ?? 0
    return zip(comparison.labels, [comparison.legacy, comparison.server]).map { label, side in
      let name = TextLayout.padded(side.shownName, to: width)
      return "\(label)  \(ink.bold(name))  \(side.shownDescription)"
    }
  }

  /// What to know of the pair as a whole.
  var notes: [String] {
    comparison.notes.flatMap { TextLayout.note($0, ink) }
  }

  private var verdict: [String] {
    let counts = comparison.countWords
    return ["\(ink.title(of: comparison.verdict))  \(comparison.verdictWords)"]
      + (counts.isEmpty ? [] : TextLayout.wrapped(counts, after: "  "))
  }
}
