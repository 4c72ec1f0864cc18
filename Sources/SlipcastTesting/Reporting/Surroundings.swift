import Foundation
package import SlipcastWire

/// The context of an expectation: who receives its issues, its case, and its time.
package struct Surroundings: Sendable {
  package var reporter: Reporter
  /// The folder of the case at hand; its issues begin with the name.
  package var caseName: String?
  /// True when expected casts are to be written instead of compared.
  package var isRecording: Bool
  /// The day on which ignore rules are read; `nil` for today.
  package var now: Timestamp?

  package init(reporter: Reporter, isRecording: Bool = false, now: Timestamp? = nil) {
    (self.reporter, self.isRecording, self.now) = (reporter, isRecording, now)
  }

  @TaskLocal package static var current = Surroundings(
    reporter: .testFrameworks, isRecording: ProcessInfo.processInfo.environment["SLIPCAST_RECORD"] == "1")

  static func `in`<Value>(case name: String, _ body: () throws -> Value) rethrows -> Value {
    var surroundings = current
    surroundings.caseName = name
    return try $current.withValue(surroundings, operation: body)
  }
}
