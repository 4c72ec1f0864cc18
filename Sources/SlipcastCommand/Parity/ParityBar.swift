import SlipcastBulk
import SlipcastParity

/// Shows on a terminal how far a comparison is.
final class ParityBar {
  private let console: Console
  private let isShown: Bool
  private var shown = 0.0
  private var isOpen = false

  init(_ arguments: Arguments, _ console: Console) {
    self.console = console
    isShown = !arguments.has("quiet") && Console.isTerminal(2)
  }

  func update(_ progress: ParityProgress) {
    guard isShown else { return }
    let now = Platform.seconds()
    guard now - shown > 0.1 else { return }
    shown = now
    isOpen = true
    console.redraw(words(progress))
  }

  private func words(_ progress: ParityProgress) -> String {
    switch progress {
    case .reading(let records, let bytes, let isLegacy):
      "reading \(isLegacy ? "legacy" : "server"): \(ClosingTable.grouped(records)) records, \(bytes / 1_000_000) MB"
    case .pairing(let done, let all): "pairing: \(all == 0 ? 100 : min(100, done * 100 / all))%"
    case .showing: "reading samples again"
    }
  }

  func makeRoom() {
    if isOpen { console.redraw("") }
    isOpen = false
  }
}
