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

  struct Unreadable: Error { let line: String }

  init(_ fixture: Fixture) throws {
    for line in try fixture.text("source.txt").split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "verdict:": verdict = words.last ?? ""
      case "expect-conflicts:": conflicts = words.last.flatMap { Int($0) } ?? -1
      case "expect:":
        let names = words.last?.split(separator: "|").map(String.init) ?? []
        let known = names.compactMap(DifferenceClass.init(rawValue:))
        guard words.count == 3, known.count == names.count else { throw Unreadable(line: String(line)) }
        classes.append((words[1], known))
      case "source:": hasSource = words.count > 1
      default: break
      }
    }
  }
}
