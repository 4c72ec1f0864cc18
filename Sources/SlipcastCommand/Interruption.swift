internal import SlipcastLibC
import Synchronization

/// Lets Ctrl-C (and a polite `kill`) end a run between two records instead of in the middle of one.
enum Interruption {
  private static let wasAsked = Atomic<Bool>(false)

  static var isAsked: Bool { wasAsked.load(ordering: .relaxed) }

  /// From now on the first signal is a wish; the second ends the program at once, as ever.
  static func watch() {
    _ = isAsked
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      let handler: @convention(c) (Int32) -> Void = { _ in Interruption.wasAsked.store(true, ordering: .relaxed) }
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = handler
      #else
        action.__sigaction_handler.sa_handler = handler
      #endif
      action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: Int(SA_RESETHAND)))
      sigaction(number, &action, nil)
    }
  }
}
