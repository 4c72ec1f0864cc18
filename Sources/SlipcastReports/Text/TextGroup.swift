import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// The fields of one class on a terminal: blocks, or one line for all that need no look.
struct TextGroup {
  let group: ReportGroup
  let ink: Ink
  let isVerbose: Bool

  /// The heading and its rows, blocks apart from each other; empty when one line says it all.
  var blocks: [[String]] {
    let shown = group.places.filter(isShown)
    guard !shown.isEmpty else { return [] }
    let strict = group.differenceClass != .conflict && shown.contains(where: group.fails)
    let heading = title(shown.count, remark: strict ? " (failing here)" : "")
    return [[heading]] + shown.map { TextRow(row: group.row($0), ink: ink, isVerbose: isVerbose).lines }
  }

  /// `representation  31 fields: the same fact, written in another way`, for the fields that are not shown one by one.
  ///
  /// A second spelling needs no line: the counts under the verdict name it.
  var collapsedLine: String? {
    if group.differenceClass == .repeated { return nil }
    let count = group.places.count { !isShown($0) }
    return count > 0 ? title(count, width: 14) : nil
  }

  /// What agrees, or stands on one side only, is counted, unless there is more to say of it; `--verbose` lists it.
  private func isShown(_ place: Int) -> Bool {
    if isVerbose || group.differenceClass <= .semantic { return true }
    let facts = group.facts(place)
    return group.fails(place) || facts.isIgnored || facts.hasStoreKit
  }

  private func title(_ count: Int, remark: String = "", width: Int = 0) -> String {
    let padded = TextLayout.padded(group.differenceClass.rawValue, to: width)
    let name = ink.heading(padded, as: group.differenceClass)
    return "\(name)  \(Comparison.words(count))\(remark): \(group.differenceClass.meaning)"
  }
}
