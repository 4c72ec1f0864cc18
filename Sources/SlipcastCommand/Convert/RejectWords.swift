import SlipcastBulk

/// Says the first rejects of a run in words, and how many more there were.
final class RejectWords {
  private let console: Console
  private let isQuiet: Bool
  private let keepsAll: Bool
  private let canKeep: Bool
  private var shown = 0
  private var hidden = 0
  /// How many were rejected for which reason.
  private var codes: [String: Int] = [:]
  private static let most = 5
  let progress: Progress

  init(_ arguments: Arguments, _ console: Console, _ progress: Progress) {
    self.console = console
    self.progress = progress
    isQuiet = arguments.has("quiet")
    keepsAll = arguments.has("rejects")
    canKeep = arguments.command.option("rejects") != nil
  }

  func say(_ reject: Reject) {
    codes[reject.code, default: 0] += 1
    if isQuiet { return }
    guard shown < Self.most else {
      hidden += 1
      return
    }
    shown += 1
    progress.makeRoom()
    console.say(console.red("rejected") + " \(Console.harmless(reject.description))\n")
  }

  /// The reason for which nothing of the input was converted; `nil` where there are several, or something was.
  func only(_ counts: RunCounts) -> String? {
    guard counts.converted + counts.duplicate == 0 else { return nil }
    return codes.first { $0.value * 10 >= counts.read * 9 }?.key
  }

  func sayRemaining() {
    if hidden > 0 {
      console.say("… and \(hidden) more" + (keepsAll || !canKeep ? "\n" : "; --rejects FILE keeps them all\n"))
    }
  }
}
