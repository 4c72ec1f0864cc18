import SlipcastBulk
import SlipcastSystem
import SlipcastWire
import Synchronization

/// Shows the progress of a run: a bar on a terminal, a line every few seconds elsewhere when requested.
final class Progress: Sendable {
  enum Style: String {
    case auto, bar, lines, none
  }

  private struct State {
    /// The current stage when it began.
    var first: Stage?
    var start = 0.0
    /// When the first stage began: short runs need no words.
    var begin: Double?
    var shown = 0.0
    var isLineOpen = false
  }

  private let console: Console
  private let style: Style
  private let state = Mutex(State())

  init(_ style: Style, _ console: Console) {
    self.console = console
    self.style = style == .auto ? Platform.isTerminal(2) && !Console.isDumb ? .bar : .none : style
  }

  /// The progress that a command line asks for.
  ///
  /// - Parameter writesLines: standard output has the data. Data on the terminal and a bar on the same terminal would
  ///   overwrite each other.
  convenience init(_ arguments: Arguments, writesLines: Bool, _ console: Console) {
    let style: Style = arguments.value("progress") ?? .auto
    let isInTheWay = writesLines && Platform.isTerminal(1)
    self.init(style == .auto && (arguments.has("quiet") || isInTheWay) ? .none : style, console)
  }

  /// Shows the stage, unless something was shown a moment ago.
  func update(_ stage: @autoclosure () -> Stage) {
    guard style != .none else { return }
    let stage = stage()
    let line = state.withLock { state in
      let now = Platform.seconds()
      let begin = state.begin ?? now
      state.begin = begin
      // A bar names each stage, however short.
      let isNew = state.first?.name != stage.name
      if isNew { (state.first, state.start) = (stage, now) }
      guard let first = state.first, isNew && style == .bar || now - state.shown >= (style == .bar ? 0.1 : 5),
        now - begin >= (style == .bar ? 0.3 : 5)
      else { return nil as ProgressLine? }
      state.shown = now
      state.isLineOpen = style == .bar
      return ProgressLine(stage: stage, first: first, seconds: now - state.start)
    }
    guard let line else { return }
    // The last column stays free: some terminals begin a new line after it.
    if style == .bar {
      console.redraw(line.text(fitting: max(1, (Screen.columns(of: 2) ?? 80) - 1), console.red))
    } else {
      console.say(line.text(console.red) + "\n")
    }
  }

  /// Clears the bar, so that words can be said; it comes back with the next update.
  func makeRoom() {
    let isOpen = state.withLock { state in
      defer { state.isLineOpen = false }
      return state.isLineOpen
    }
    if isOpen { console.redraw("") }
  }
}
