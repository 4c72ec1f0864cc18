@_spi(Slipcast) internal import SlipcastWire

/// A row that is made of some values and their pointers.
enum RowTree {
  /// JSON.
  case value([UInt8])
  case members([(name: String, tree: RowTree)])

  /// Places a value; one inside another value is there already.
  mutating func add(_ json: [UInt8], at tokens: ArraySlice<String>) {
    guard case .members(var members) = self else { return }
    guard let name = tokens.first else {
      self = .value(json)
      return
    }
    let place = members.firstIndex { $0.name == name } ?? members.count
    if place == members.count { members.append((name, .members([]))) }
    members[place].tree.add(json, at: tokens.dropFirst())
    self = .members(members)
  }

  var json: [UInt8] {
    let writer = JSONWriter(capacity: 1024)
    write(to: writer)
    return writer.bytes
  }

  private func write(to writer: JSONWriter) {
    switch self {
    case .value(let json): writer.raw(json)
    case .members(let members):
      writer.byte(UInt8(ascii: "{"))
      for member in members {
        writer.key(member.name)
        member.tree.write(to: writer)
      }
      writer.byte(UInt8(ascii: "}"))
    }
  }
}
