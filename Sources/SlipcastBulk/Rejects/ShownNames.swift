internal import SlipcastWire

/// The names of one object that is kept: those that are not shown as they are stay different from each other.
struct ShownNames {
  private var seen: [String: Int] = [:]

  mutating func next(_ name: String) -> String {
    let shown = ShownName(name)
    if shown.isWhole { return name }
    let count = seen[shown.description, default: 0] + 1
    seen[shown.description] = count
    return count == 1 ? shown.description : "\(shown.description) \(count)"
  }
}

extension JSONPointer {
  /// Each step may be shown.
  package var isShown: Bool { tokens.allSatisfy(ShownName.isName) }
}
