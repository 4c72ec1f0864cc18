import SlipcastBulk
import SlipcastSystem
import SlipcastWire

/// Shows the progress of a run: a bar on a terminal, a line every few seconds elsewhere when requested.
final class Progress {
  enum Style: String {
    case auto, bar, lines, none
  }

  private let console: Console
  private let style: Style
  /// Bytes of all files, where all have a length.
  private let totalBytes: Int?
  private let start = Platform.seconds()
  /// What an earlier run had done already; it does not count for the speed of this one.
  private var first: ConvertRun.Progress?
  private var shown = 0.0
  private var isLineOpen = false

  init(_ style: Style, totalBytes: Int? = nil, _ console: Console) {
    self.console = console
    self.totalBytes = totalBytes
    self.style = style == .auto ? Platform.isTerminal(2) ? .bar : .none : style
  }

  func update(_ progress: ConvertRun.Progress) {
    guard style != .none else { return }
    if first == nil { first = progress }
    let now = Platform.seconds()
    guard now - shown >= (style == .bar ? 0.1 : 5), now - start >= (style == .bar ? 0.3 : 5) else { return }
    shown = now
    show(progress, now - start)
  }

  private func show(_ progress: ConvertRun.Progress, _ seconds: Double) {
    let text = line(progress, seconds)
    if style == .bar { console.redraw(text) } else { console.say(text + "\n") }
    isLineOpen = style == .bar
  }

  /// Clears the bar, so that words can be said; it comes back with the next update.
  func makeRoom() {
    if isLineOpen { console.redraw("") }
    isLineOpen = false
  }

  func line(_ progress: ConvertRun.Progress, _ seconds: Double) -> String {
    let time = max(seconds, 1e-3)
    let records = progress.counts.read - (first?.counts.read ?? 0)
    let bytes = progress.counts.bytes - (first?.counts.bytes ?? 0)
    var parts: [String] = []
    if let share = share(progress) {
      if style == .bar {
        let width = 24
        let full = min(width, Int(share * Double(width)))
        parts.append("[" + String(repeating: "=", count: full) + String(repeating: " ", count: width - full) + "]")
      }
      parts.append("\(Int(share * 100))%")
    }
    parts.append("\(progress.counts.read.grouped) records")
    parts.append("\(Int(Double(records) / time).grouped) records/s")
    parts.append("\(ClosingTable.decimal(Double(bytes) / 1e6 / time, 1)) MB/s")
    let rejected = "\(progress.counts.rejected.grouped) rejected"
    parts.append(progress.counts.rejected > 0 ? console.red(rejected) : rejected)
    if let left = secondsLeft(progress, seconds) { parts.append("ETA \(Self.clock(left))") }
    return parts.joined(separator: "  ")
  }

  private func share(_ progress: ConvertRun.Progress) -> Double? {
    guard let totalBytes, totalBytes > 0 else { return nil }
    return min(1, Double(progress.rawBytes) / Double(totalBytes))
  }

  /// `nil` until the speed is known: three seconds, and a fiftieth of the work.
  private func secondsLeft(_ progress: ConvertRun.Progress, _ seconds: Double) -> Double? {
    guard let totalBytes, let first, seconds >= 3 else { return nil }
    let done = Double(progress.rawBytes - first.rawBytes)
    guard done * 50 >= Double(totalBytes - first.rawBytes) else { return nil }
    return seconds * Double(max(0, totalBytes - progress.rawBytes)) / done
  }

  /// `1:02:03`, or `2:03` under an hour.
  static func clock(_ seconds: Double) -> String {
    let whole = Int(min(seconds.rounded(.up), 359_999))
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(whole % 60))"
  }
}
