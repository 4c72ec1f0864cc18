/// A part of the house that reads other people's bytes, and what must hold whatever they are.
package struct FuzzTarget: Sendable {
  /// What runs for each input; made once, so that what readers keep from one record to the next is tried too.
  package typealias Body = (UnsafeBufferPointer<UInt8>) throws -> Void

  /// What it is called on the command line and in the names of folders.
  package var name: String
  /// What it reads and what is expected of it.
  package var summary: String
  /// Inputs to begin with.
  package var seeds: @Sendable () throws -> [[UInt8]]
  /// Words that such inputs consist of.
  package var words: [String] = []
  /// The most bytes that an input should have.
  package var limit = 16 << 10
  /// Gets the body ready.
  package var make: @Sendable () throws -> Body

  /// All targets.
  package static let all: [FuzzTarget] = [
    .json, .foundation, .legacy, .server, .cast, .respelled, .ownConversion, .settled, .token, .receipt, .propertyList,
    .rules, .arguments, .documents, .stream, .workers, .pair, .request,
  ]
}

/// Something does not hold that must hold for every input.
package struct Violation: Error, CustomStringConvertible {
  package let description: String

  init(_ words: String) { description = "violation: " + words }
}
