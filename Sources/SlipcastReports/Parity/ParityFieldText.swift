import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// One path on a terminal: how well it agrees, and pairs that show why not.
struct ParityFieldText {
  let field: ParityField
  let ink: Ink
  let isVerbose: Bool

  /// A line for each path, in columns.
  static func table(_ fields: [ParityField], _ ink: Ink) -> [String] {
    guard !fields.isEmpty else { return [] }
    let head = line("agreement", "conflicts", "pairs", "path")
    return [ink.dim(head)]
      + fields.map { field in
        let remark = field.remark.isEmpty ? "" : "  (\(field.remark))"
        let path = ink.heading(field.path, as: field.worst) + (field.fails ? ink.red(remark) : remark)
        return line(field.agreement, field.conflicts.grouped, field.pairs.grouped, path)
      }
  }

  private static func line(_ agreement: String, _ conflicts: String, _ pairs: String, _ path: String) -> String {
    "  " + TextLayout.aligned(agreement, to: 11) + TextLayout.aligned(conflicts, to: 13)
      + TextLayout.aligned(pairs, to: 13) + "  " + path
  }

  /// The path over its samples, only the first of them unless all are wanted; empty without samples.
  var samples: [String] {
    let shown = isVerbose ? field.samples : Array(field.samples.prefix(1))
    guard !shown.isEmpty else { return [] }
    let path = "  " + ink.heading(field.path, as: field.worst)
    return [path, "  " + ink.dim(field.countWords)]
      + shown.flatMap { sample in
        let name = sample.row.differenceClass
        let row = TextRow(row: sample.row, ink: ink, isVerbose: false)
        return ["  \(sample.records): \(ink.heading(name.rawValue, as: name))"] + row.body
      }
  }
}
