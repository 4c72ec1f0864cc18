@_spi(Slipcast) internal import SlipcastWire

/// A V2 line on its tape, with the place of its copy in the buffer.
struct V2Line {
  var tape: JSONTape
  /// Where the copy of the line begins in the buffer's bytes.
  var start: Int

  /// Walks the members of an object or the items of an array; anything else has none.
  @inline(__always)
  func forEachChild(of index: Int, _ use: (Int) -> Void) {
    let entry = tape[index]
    guard entry.kind == .object || entry.kind == .array else { return }
    var child = index + 1
    while child < Int(entry.nextOrSide) {
      use(child)
      child = tape.after(child)
    }
  }

  /// The last member of a numbered name.
  func child(of index: Int, _ key: UInt16) -> Int? {
    guard tape[index].kind == .object else { return nil }
    var found: Int?
    forEachChild(of: index) { if tape[$0].key == key { found = $0 } }
    return found
  }
}

/// Which of the three V2 objects a line is, and where its parts stand; 0 where there is none.
struct Shape {
  var isNotification = false
  var isStatuses = false
  var data = 0
  var transactions = 0
  var migration = 0

  init(_ line: V2Line, _ keys: EncoderKeys) {
    line.forEachChild(of: 0) { child in
      switch line.tape[child].key {
      case keys.notificationUUIDKey: isNotification = true
      case keys.dataKey: data = child
      case keys.transactionsKey: transactions = child
      case keys.migrationKey: migration = child
      default: break
      }
    }
    isStatuses = !isNotification && data > 0 && line.tape[data].kind == .array
  }
}
