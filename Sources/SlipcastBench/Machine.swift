import SlipcastBulk
import SlipcastLibC
import SlipcastSystem

/// What the figures were measured on, and with.
struct Machine {
  let processor = Machine.processorName()
  let processors = Platform.processors
  let swift = Machine.swiftVersion
  let commit = Machine.output(of: "git rev-parse --short HEAD 2>/dev/null") ?? "unknown"
  /// Files of that commit are changed: the figures are not quite its own.
  let isModified = Machine.output(of: "git status --porcelain --untracked-files=no 2>/dev/null") != nil

  /// The compiler that built this program; a program can find its version only by comparison.
  static var swiftVersion: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3.1)
      "6.3.1 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  /// The largest part of this process that was in memory at once, so far.
  static func peakResidentBytes() -> Int {
    var usage = rusage()
    // RUSAGE_SELF is 0 everywhere; glibc declares the name with a separate type, which the call does not accept.
    guard getrusage(0, &usage) == 0 else { return 0 }
    #if canImport(Darwin)
      return usage.ru_maxrss
    #else
      return usage.ru_maxrss * 1024
    #endif
  }

  private static func processorName() -> String {
    #if canImport(Darwin)
      let command = "sysctl -n machdep.cpu.brand_string 2>/dev/null"
    #else
      let command = "grep -m 1 '^model name' /proc/cpuinfo 2>/dev/null | cut -d : -f 2"
    #endif
    return output(of: command) ?? "unknown"
  }

  /// The first line that a command prints, without blanks at its ends; `nil` if it prints nothing.
  private static func output(of command: String) -> String? {
    guard let pipe = popen(command, "r") else { return nil }
    defer { pclose(pipe) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), pipe) != nil else { return nil }
    let bytes = line.prefix { $0 != 0 && $0 != 0x0A }.map { UInt8(bitPattern: $0) }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
