// Unsafe on purpose: the system's calls for terminals and pipes take pointers.
internal import SlipcastLibC

extension Platform {
  /// The columns and rows of a descriptor's terminal; `nil` for pipes and files, and for an unknown size.
  package static func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    guard isTerminal(descriptor) else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}

/// A program that shows what is written to it: a pager, started by the shell.
package final class PagerProcess {
  #if canImport(Musl)
    private typealias Stream = OpaquePointer
  #else
    private typealias Stream = UnsafeMutablePointer<FILE>
  #endif

  private var stream: Stream?

  /// Starts a command line; `nil` where that is impossible.
  ///
  /// - Parameter variables: variables of its environment, unless they are set already.
  package init?(_ command: String, variables: [String: String]) {
    for (name, value) in variables { setenv(name, value, 0) }
    guard let stream = popen(command, "w") else { return nil }
    self.stream = stream
    // Interrupts are for the pager, which returns to its prompt.
    signal(SIGINT, SIG_IGN)
  }

  /// Writes; false once the person has ended the pager.
  package func write(_ bytes: Span<UInt8>) -> Bool {
    guard let stream else { return false }
    return (try? Platform.write(fileno(stream), bytes, path: "the pager")) != nil
  }

  /// Waits until the person has ended it; false where the shell could not run it.
  @discardableResult
  package func finish() -> Bool {
    guard let stream else { return true }
    self.stream = nil
    let status = pclose(stream)
    signal(SIGINT, SIG_DFL)
    // The upper byte is the exit status; shells end with these two.
    return ![126, 127].contains(status >> 8 & 0xFF)
  }

  deinit { finish() }
}
