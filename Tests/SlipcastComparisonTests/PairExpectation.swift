import Foundation
import SlipcastMapping
import SlipcastTestSupport

/// What a person wrote down about a pair before it was compared: the lines of its `source.txt`.
struct PairExpectation {
  var verdict = ""
  var conflicts = 0
  /// Paths with the classes that are right for them.
  var classes: [(path: String, classes: [DifferenceClass])] = []
  var hasSource = false

  init(_ fixture: Fixture) throws {
    for line in try fixture.text("source.txt").split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "verdict:": verdict = words.last ?? ""
      case "expect-conflicts:": conflicts = words.last.flatMap { Int($0) } ?? -1
      case "expect:" where words.count == 3:
        classes.append((words[1], words[2].split(separator: "|").compactMap { DifferenceClass(rawValue: String($0)) }))
      case "source:": hasSource = words.count > 1
      default: break
      }
    }
  }
}
