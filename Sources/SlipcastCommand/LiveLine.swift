import SlipcastBulk
import SlipcastSystem
import Synchronization

/// A line on a terminal that shows how far a run is, drawn again at most every so many seconds.
final class LiveLine: Sendable {
  private let console: Console
  private let isShown: Bool
  private let pause: Double
  private let state = Mutex((drawn: 0.0, isOpen: false))

  init(isShown: Bool, every pause: Double, _ console: Console) {
    (self.isShown, self.pause, self.console) = (isShown, pause, console)
  }

  func show(_ words: () -> String) {
    guard isShown else { return }
    let isDue = state.withLock { state in
      let now = Platform.seconds()
      guard now - state.drawn >= pause else { return false }
      state = (now, true)
      return true
    }
    if isDue { console.redraw(words()) }
  }

  /// Clears the line, so that words can be said; it comes back with the next call of `show`.
  func clear() {
    let isOpen = state.withLock { state in
      defer { state.isOpen = false }
      return state.isOpen
    }
    if isOpen { console.redraw("") }
  }
}
