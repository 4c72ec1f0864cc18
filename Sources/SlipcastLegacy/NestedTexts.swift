@_spi(Slipcast) import SlipcastWire

/// Opens objects and lists that a record holds as JSON inside a text, as databases and queues write them.
///
/// The record is written again with the values in place of their texts, and read from there.
final class NestedTexts {
  // Two readers, made for the first such text: a tape is valid until its reader reads again.
  private lazy var reader = JSONReader(names: LegacyKey.names)
  private lazy var probe = JSONReader(names: [])
  private let writer = JSONWriter(capacity: 1024)
  /// The text of the record that was opened last; its tape points to it.
  private var text = JSONBuffer([])
  /// A text in a text in a text, and no deeper.
  private static let layers = 4

  /// The record with all such texts opened; `nil` for one that has none.
  func open(_ tape: JSONTape, _ root: Int) -> JSONTape? {
    var found: JSONTape?
    var (tape, root) = (tape, root)
    for _ in 0..<Self.layers {
      guard hasText(tape, root) else { break }
      writer.clear()
      guard write(JSONElement(tape: tape, index: root), isContainer: true) else { break }
      let next = JSONBuffer(writer.buffer.span)
      guard let opened = try? reader.read(next) else { break }
      (text, tape, root, found) = (next, opened, 0, opened)
    }
    return found
  }

  /// A member, or an element of a list, that should be a container is a text that begins like one.
  private func hasText(_ tape: JSONTape, _ index: Int) -> Bool {
    let isOfList = tape[index].kind == .array
    return tape.children(of: index).contains { child in
      guard isOfList || LegacyKey(tape[child])?.holdsRows == true else { return false }
      switch tape[child].kind {
      case .string: return beginsLikeContainer(tape.text(child))
      // The elements of a list hold no lists.
      case .object: return !isOfList && hasText(tape, child)
      case .array: return hasText(tape, child)
      default: return false
      }
    }
  }

  private func beginsLikeContainer(_ text: JSONText) -> Bool {
    let first = text.buffer.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    // A text may hold the text of a text.
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "\"")
  }

  /// Writes a value with its texts opened.
  ///
  /// - Returns: whether one was.
  private func write(_ element: JSONElement, isContainer: Bool) -> Bool {
    guard isContainer else {
      writer.copy(element)
      return false
    }
    var isOpened = false
    switch element.kind {
    case .object:
      writer.object {
        for child in element.children {
          writer.keyOf(child)
          let isOpening = write(child, isContainer: LegacyKey(child.tape[child.index])?.holdsRows == true)
          isOpened = isOpened || isOpening
        }
      }
    case .array:
      writer.array(element.children) { child in
        let isOpening = write(child, isContainer: true)
        isOpened = isOpened || isOpening
      }
    case .string:
      let content = element.tape.text(element.index)
      guard beginsLikeContainer(content), let json = container(content) else { break }
      writer.raw(json.buffer.span)
      return true
    default: break
    }
    if element.kind != .object, element.kind != .array { writer.copy(element) }
    return isOpened
  }

  /// The JSON of a text that is an object or an array, on one line.
  private func container(_ text: JSONText) -> JSONWriter? {
    probe.parse(JSONBuffer(text.buffer)) { root in
      let isText = root.kind == .string && beginsLikeContainer(root.tape.text(root.index))
      guard root.kind == .object || root.kind == .array || isText else { return nil }
      let copy = JSONWriter(capacity: text.count)
      copy.copy(root)
      return copy
    }
  }
}
