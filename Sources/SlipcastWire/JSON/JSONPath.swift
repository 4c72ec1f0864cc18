/// The path of a value in a document: `unified_receipt.latest_receipt_info[3].expires_date_ms`.
///
/// Names are separated by dots, array positions count from 0. The root is the empty path, written `$` in messages. A name
/// that looks like a value is not shown: `name(214)` stands for one of 214 bytes.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// One step down: into an object or into an array.
  public enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  /// The steps from the root.
  public var steps: [Step]

  /// Creates a path; without steps it is the root.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// The dotted spelling; empty for the root.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .key(let name): text += (text.isEmpty ? "" : ".") + ShownName(name).description
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }

  /// What precedes a message about the value: `byte 51: unified_receipt: `; nothing for the record itself.
  package func place(at offset: Int) -> String {
    steps.isEmpty ? offset == 0 ? "" : "byte \(offset): " : "byte \(offset): \(self): "
  }

  /// The path one step further down.
  public func appending(_ step: Step) -> JSONPath { JSONPath(steps + [step]) }
}

extension JSONPath {
  /// The path of the innermost open container's last child, or of the container if it is empty.
  init(tape: JSONTape, open: [Int]) {
    var steps: [Step] = []
    for (container, inner) in zip(open, open.dropFirst()) {
      steps.append(Self.step(tape, container: container, child: inner))
    }
    if let last = open.last, last + 1 < tape.count {
      var child = last + 1
      // Children of the innermost container are closed or scalar, so each of them knows its successor.
      while tape.after(child) > child, tape.after(child) < tape.count { child = tape.after(child) }
      steps.append(Self.step(tape, container: last, child: child))
    }
    self.init(steps)
  }

  /// The path of a value on the tape, from the root or from a container around it.
  package init(tape: JSONTape, index: Int, from root: Int = 0) {
    var steps: [Step] = []
    var container = root
    while container != index, tape[container].kind == .object || tape[container].kind == .array {
      var child = container + 1
      while child < tape.count, tape.after(child) <= index { child = tape.after(child) }
      guard child < tape.count else { break }
      steps.append(Self.step(tape, container: container, child: child))
      container = child
    }
    self.init(steps)
  }

  private static func step(_ tape: JSONTape, container: Int, child: Int) -> Step {
    if tape[container].kind == .object { return .key(tape.key(child).string) }
    var index = 0
    var at = container + 1
    // Children of an open container have no `next` yet while they are open themselves, so stop at the child.
    while at < child, tape.after(at) > at {
      at = tape.after(at)
      index += 1
    }
    return .index(index)
  }
}

extension JSONPath {
  /// A name as a step of a dotted path; in quotes where it would look like several steps.
  package static func spelled(_ name: String) -> String {
    let isPlain = !name.isEmpty && !name.contains { ".[]\"".contains($0) }
    return isPlain ? name : FieldValue.text(name).json
  }
}
