internal import SlipcastMapping
internal import SlipcastWire

/// A pattern for dotted paths.
struct PathPattern: Sendable {
  private let steps: [String]
  private let text: String

  /// Reads a dotted pattern or a JSON pointer (RFC 6901).
  init(_ text: String) {
    self.text = text
    guard text.hasPrefix("/") else {
      steps = Self.steps(text)
      return
    }
    steps = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
      let name = part.replacing("~1", with: "/").replacing("~0", with: "~")
      return !name.isEmpty && name.allSatisfy(\.isWholeNumber) ? "[\(name)]" : String(name)
    }
  }

  func fits(_ field: FieldDifference) -> Bool {
    [field.v2Path, field.v1Path].contains { path in path.map(fits) ?? false }
  }

  /// The path of a difference that a pattern was probably meant for; `nil` where it fits a path, or is for several.
  func meant(among fields: FieldDifferences) -> String? {
    guard !text.contains("*"), !fields.contains(where: fits) else { return nil }
    let differing = fields.filter { $0.differenceClass < .representation }
    return Suggestion.closest(to: text, among: differing.flatMap { [$0.v2Path, $0.v1Path] }.compactMap(\.self))
  }

  func fits(_ path: String) -> Bool { Self.fits(steps[...], Self.steps(path)[...]) }

  /// Names and array places, one after the other: `a`, `[0]`, `b`.
  private static func steps(_ path: String) -> [String] {
    path.split(separator: ".").flatMap { part -> [String] in
      var pieces = part.split(separator: "[", omittingEmptySubsequences: false).map(String.init)
      let name = pieces.removeFirst()
      return (name.isEmpty ? [] : [name]) + pieces.map { "[" + $0 }
    }
  }

  private static func fits(_ pattern: ArraySlice<String>, _ path: ArraySlice<String>) -> Bool {
    // Reachable places in the pattern after each step: no backtracking, so no pattern takes long.
    var places = closure([pattern.startIndex], pattern)
    for step in path {
      var next: Set<Int> = []
      for place in places where place < pattern.endIndex {
        if pattern[place] == "**" {
          next.insert(place)
        } else if fits(name: Array(pattern[place].utf8), Array(step.utf8)) {
          next.insert(place + 1)
        }
      }
      places = closure(next, pattern)
    }
    return places.contains(pattern.endIndex)
  }

  /// `**` may also stand for no step at all.
  private static func closure(_ places: Set<Int>, _ pattern: ArraySlice<String>) -> Set<Int> {
    var all = places
    for place in pattern.indices where all.contains(place) && pattern[place] == "**" { all.insert(place + 1) }
    return all
  }

  /// `*` stands for any run of characters.
  private static func fits(name pattern: [UInt8], _ text: [UInt8]) -> Bool {
    let star = UInt8(ascii: "*")
    var (at, place, lastStar, mark) = (0, 0, -1, 0)
    while at < text.count {
      if place < pattern.count, pattern[place] == star {
        (lastStar, mark) = (place, at)
        place += 1
      } else if place < pattern.count, pattern[place] == text[at] {
        at += 1
        place += 1
      } else if lastStar >= 0 {
        mark += 1
        (at, place) = (mark, lastStar + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == star }
  }
}

/// A pattern for the paths of differences: `*` for any part of one name, `**` for any number of names.
public struct DifferencePattern: Sendable {
  private let pattern: PathPattern

  /// Reads a dotted pattern.
  public init(_ text: String) { pattern = PathPattern(text) }

  /// The path fits.
  public func fits(_ path: String) -> Bool { pattern.fits(path) }
}
