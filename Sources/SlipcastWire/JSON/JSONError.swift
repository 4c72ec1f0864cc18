/// The reason and the exact position at which a text is not valid JSON.
///
/// The description never contains the text itself: it may hold a customer's data.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason.
  public enum Reason: Hashable, Sendable {
    case empty
    case incomplete
    case syntax
    case escape
    case utf8
    case controlCharacter
    case unclosedString
    case number
    case literal
    case tooDeep(limit: Int)
    case recordTooLarge(limit: Int)
    case trailing
    case memory
  }

  /// The reason.
  public var reason: Reason
  /// The value that was being read.
  public var path: JSONPath
  /// Bytes from the start of the record.
  public var offset: Int

  package init(reason: Reason, path: JSONPath = JSONPath(), offset: Int = 0) {
    self.reason = reason
    self.path = path
    self.offset = offset
  }

  // A switch: asked for every reject, and the name of a case by reflection takes five times as long as all the rest.
  /// The reason as one word for programs, such as `unclosedString`.
  public var code: String {
    switch reason {
    case .empty: "empty"
    case .incomplete: "incomplete"
    case .syntax: "syntax"
    case .escape: "escape"
    case .utf8: "utf8"
    case .controlCharacter: "controlCharacter"
    case .unclosedString: "unclosedString"
    case .number: "number"
    case .literal: "literal"
    case .tooDeep: "tooDeep"
    case .recordTooLarge: "recordTooLarge"
    case .trailing: "trailing"
    case .memory: "memory"
    }
  }

  /// One line: where, what was expected and what was found.
  public var description: String { offset == 0 ? "byte 0: \(message)" : path.place(at: offset) + message }

  /// What was expected and what was found, without the place.
  package var message: String {
    switch reason {
    case .empty: "expected a JSON object, found nothing"
    case .incomplete: "the record ends inside an object or array; it may have been cut off"
    case .syntax: "expected JSON, found a character that JSON does not allow here"
    case .escape: "expected a valid escape in a string, found a broken one or half of a surrogate pair"
    case .utf8: "expected UTF-8, found an invalid byte"
    case .controlCharacter: "expected an escaped control character in a string, found a bare one"
    case .unclosedString: "a string begins here and has no end"
    case .number: "expected a number as RFC 8259 writes it, found another spelling"
    case .literal: "expected true, false or null, found another word"
    case .tooDeep(let limit): "expected at most \(limit) objects and arrays inside each other, found more"
    case .recordTooLarge(let limit): "expected a record of at most \(limit) bytes, found a longer one"
    case .trailing:
      "expected the end of the record, found more text after the value; start each record on a new line"
    case .memory: "not enough memory to read the record"
    }
  }
}
