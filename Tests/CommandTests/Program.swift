import Foundation
import Testing

/// The built program, run as a user runs it.
struct Program {
  var output: String
  var errors: String
  var status: Int32

  /// The binary next to the test bundle.
  static let path: String = {
    var folder = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).resolvingSymlinksInPath()
    #if os(Linux)
      if let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
        folder = URL(fileURLWithPath: own)
      }
    #endif
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let candidate = folder.appendingPathComponent("slipcast").path
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
    }
    return "slipcast"
  }()

  /// Runs a shell line in which `slipcast` is the program.
  ///
  /// The program gets the languages of the test run; bash itself would warn of those that the system does not have.
  static func shell(_ line: String) throws -> Program {
    let surroundings = ProcessInfo.processInfo.environment
    let languages = ["LANG", "LC_ALL"].map { "\($0)='\(surroundings[$0] ?? "")'" }.joined(separator: " ")
    return try run(
      "/bin/bash", ["-c", "slipcast() { env \(languages) '\(path)' \"$@\"; }\n" + line], ["LC_ALL": "C"])
  }

  /// Runs the program with arguments as they are, in a folder, with more in its environment.
  static func run(_ arguments: [String], in folder: String, _ environment: [String: String] = [:]) throws -> Program {
    try run(path, arguments, in: folder, environment)
  }

  private static func run(
    _ file: String, _ arguments: [String], in folder: String? = nil, _ environment: [String: String] = [:]
  ) throws -> Program {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: file)
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    // Reports of two runs are compared: they state the same time.
    let surroundings = ProcessInfo.processInfo.environment.merging(["SOURCE_DATE_EPOCH": "1750000000"]) { $1 }
    process.environment = surroundings.merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let said = Mailbox()
    let reader = Thread { said.put(errors.fileHandleForReading.readDataToEndOfFile()) }
    reader.start()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Program(
      output: String(decoding: data, as: UTF8.self), errors: String(decoding: said.take(), as: UTF8.self),
      status: process.terminationStatus)
  }
}

/// Hands data from one thread to another.
private final class Mailbox: @unchecked Sendable {
  // Safe to share: every access holds the condition.
  private let condition = NSCondition()
  private var data: Data?

  func put(_ data: Data) {
    condition.withLock {
      self.data = data
      condition.signal()
    }
  }

  func take() -> Data {
    condition.withLock {
      while data == nil { condition.wait() }
      return data ?? Data()
    }
  }
}
