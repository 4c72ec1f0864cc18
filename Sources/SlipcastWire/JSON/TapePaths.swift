/// Paths of many values of one tape, found by climbing to the root instead of visiting all earlier values.
///
/// Reused for one tape after another.
@_spi(Slipcast) public struct TapePaths {
  private struct Node {
    /// The container of the entry, or -1.
    var parent: Int32 = -1
    /// Its position among the children of its container.
    var place: Int32 = 0
    /// The prefix of the names of its children: a range of `leads`; negative before its first use.
    var start: Int32 = -1
    var end: Int32 = -1
  }

  private var tape = JSONTape.empty
  private var root = 0
  private var nodes: [Node] = []
  private let leads = JSONWriter(capacity: 256)
  /// Tapes with more entries release their memory before the next tape.
  private static let mostKept = 1 << 16

  /// Paths of no tape yet.
  public init() {}

  /// Prepares the paths of a tape.
  ///
  /// - Parameter root: the entry whose path is empty: 0, or the index of a wrapped record.
  public init(_ tape: JSONTape, root: Int = 0) {
    self.init()
    begin(tape, root: root)
  }

  /// Prepares the paths of another tape.
  ///
  /// - Parameter root: the entry whose path is empty: 0, or the index of a wrapped record.
  public mutating func begin(_ tape: JSONTape, root: Int = 0) {
    (self.tape, self.root) = (tape, root)
    leads.clear()
    nodes.removeAll(keepingCapacity: nodes.count <= Self.mostKept)
    nodes.append(contentsOf: repeatElement(Node(), count: tape.count))
    var nodes = nodes.mutableSpan
    for container in 0..<tape.count where tape[container].kindCode >= JSONKind.array.rawValue {
      let end = tape.after(container)
      var (child, place) = (container + 1, Int32(0))
      while child < end {
        nodes[child].parent = Int32(truncatingIfNeeded: container)
        nodes[child].place = place
        place += 1
        child = tape.after(child)
      }
    }
  }

  /// The dotted path of a value.
  public func text(_ index: Int) -> String { path(index).description }

  /// The path of a value.
  public func path(_ index: Int) -> JSONPath {
    var steps: [JSONPath.Step] = []
    var at = index
    while at != root, nodes[at].parent >= 0 {
      let parent = Int(nodes[at].parent)
      steps.append(tape[parent].kind == .array ? .index(Int(nodes[at].place)) : .key(tape.key(at).string))
      at = parent
    }
    return JSONPath(steps.reversed())
  }

  /// Writes the dotted path of a value as the inside of a JSON string.
  public mutating func write(_ index: Int, to writer: JSONWriter) {
    let node = nodes[index]
    guard index != root, node.parent >= 0 else { return }
    let parent = Int(node.parent)
    if nodes[parent].start < 0 { spellLead(of: parent) }
    let lead = nodes[parent]
    writer.copy(Int(lead.start)..<Int(lead.end), of: leads)
    if tape[parent].kind == .array {
      writer.byte(UInt8(ascii: "["))
      writer.integer(Int64(node.place))
      writer.byte(UInt8(ascii: "]"))
    } else {
      let key = tape.key(index)
      let hidden = ShownName.isPlain(key.buffer) ? nil : ShownName(key.string)
      if let hidden, !hidden.isWhole { writer.raw(hidden.description) } else { writer.inside(key) }
    }
  }

  private mutating func spellLead(of container: Int) {
    // The prefix of the container's own name is written before, so this text stays contiguous.
    let parent = Int(nodes[container].parent)
    if container != root, parent >= 0, nodes[parent].start < 0 { spellLead(of: parent) }
    let start = leads.count
    write(container, to: leads)
    if leads.count > start, tape[container].kind == .object { leads.byte(UInt8(ascii: ".")) }
    (nodes[container].start, nodes[container].end) = (Int32(start), Int32(leads.count))
  }
}
