internal import SlipcastMapping
internal import SlipcastWire

/// A pattern for the paths of differences: `*` for any part of one name, `**` for any number of names.
public struct DifferencePattern: Sendable {
  private let steps: [String]
  private let text: String

  /// Reads a dotted pattern or a JSON pointer (RFC 6901).
  public init(_ text: String) {
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

  /// The path fits.
  public func fits(_ path: String) -> Bool {
    Self.fits(steps, Self.steps(path), isAny: { $0 == "**" }) { pattern, name in
      Self.fits(Array(pattern.utf8), Array(name.utf8), isAny: { $0 == UInt8(ascii: "*") }, ==)
    }
  }

  /// Names and array places, one after the other: `a`, `[0]`, `b`.
  private static func steps(_ path: String) -> [String] {
    path.split(separator: ".").flatMap { part -> [String] in
      var pieces = part.split(separator: "[", omittingEmptySubsequences: false).map(String.init)
      let name = pieces.removeFirst()
      return (name.isEmpty ? [] : [name]) + pieces.map { "[" + $0 }
    }
  }

  /// No pattern takes long: where an item does not fit, only the last wildcard can take one more.
  private static func fits<Item>(
    _ pattern: [Item], _ items: [Item], isAny: (Item) -> Bool, _ isSame: (Item, Item) -> Bool
  ) -> Bool {
    var (at, place, lastAny, mark) = (0, 0, -1, 0)
    while at < items.count {
      if place < pattern.count, isAny(pattern[place]) {
        (lastAny, mark) = (place, at)
        place += 1
      } else if place < pattern.count, isSame(pattern[place], items[at]) {
        at += 1
        place += 1
      } else if lastAny >= 0 {
        mark += 1
        (at, place) = (mark, lastAny + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy(isAny)
  }
}
