internal import SlipcastLibC

/// Calls of the system, with errors that name the failed action: the lowest target, which every other one may use.
package enum Platform {
  package static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }

  package static let tooLarge = EFBIG

  package static let notFound = ENOENT

  package static let exists = EEXIST

  package static let closedPipe = EPIPE

  package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  package static func matches(_ name: String, pattern: String) -> Bool { fnmatch(pattern, name, 0) == 0 }

  /// Makes a closed pipe an error of `write` instead of the end of the process.
  package static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// The error that the last call of the system left.
  package static var lastError: Int32 { errno }

  /// A variable of the environment; `nil` where it is not set.
  package static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// How many files the process may have open at once (`ulimit -n`).
  package static var mostOpenFiles: Int { sysconf(Int32(_SC_OPEN_MAX)) }
}
