/// Paths of many values of one tape, each found by climbing instead of by walking past all values before it.
@_spi(Slipcast) public struct TapePaths {
  private let tape: JSONTape
  private let root: Int
  /// The container of each entry, or -1.
  private var parents: [Int32]
  /// The place of each entry among the children of its container.
  private var places: [Int32]
  /// Spelled paths of containers, because their children come many at a time.
  private var spelled: [Int: String] = [:]

  /// Prepares the paths of a tape.
  ///
  /// - Parameter root: the entry whose path is empty: 0, or the place of a wrapped record.
  public init(_ tape: JSONTape, root: Int = 0) {
    self.tape = tape
    self.root = root
    parents = [Int32](repeating: -1, count: tape.count)
    places = [Int32](repeating: 0, count: tape.count)
    for container in 0..<tape.count where tape[container].kind == .object || tape[container].kind == .array {
      var child = container + 1
      var place: Int32 = 0
      while child < Int(tape[container].nextOrSide) {
        (parents[child], places[child]) = (Int32(truncatingIfNeeded: container), place)
        place += 1
        child = tape.after(child)
      }
    }
  }

  /// The dotted path of a value.
  public mutating func text(_ index: Int) -> String {
    guard index != root, parents[index] >= 0 else { return "" }
    let parent = Int(parents[index])
    if spelled[parent] == nil { spelled[parent] = text(parent) }
    let prefix = spelled[parent] ?? ""
    if tape[parent].kind == .array { return "\(prefix)[\(places[index])]" }
    let name = tape.key(index).string
    return prefix.isEmpty ? name : "\(prefix).\(name)"
  }

  /// The path of a value.
  public func path(_ index: Int) -> JSONPath {
    var steps: [JSONPath.Step] = []
    var at = index
    while at != root, parents[at] >= 0 {
      let isItem = tape[Int(parents[at])].kind == .array
      steps.append(isItem ? .index(Int(places[at])) : .key(tape.key(at).string))
      at = Int(parents[at])
    }
    return JSONPath(steps.reversed())
  }
}
