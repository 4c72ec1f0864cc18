@_spi(Slipcast) internal import SlipcastWire

/// What a rejected record is about, by the names that a company's database has too.
public struct RejectSubject: Hashable, Sendable {
  /// V1's `notification_type`, or V2's type or type/subtype; `nil` where the record states none, or several.
  public var type: String?
  /// The original transaction ids in the record, in their order; five at most.
  public var originalTransactionIds: [String] = []
  /// The record has more ids than those.
  public var hasMoreIds = false

  /// A subject without a type and without ids.
  public init() {}

  /// `DID_RENEW of 2000000400000001`; of several ids, the event is about one.
  public var words: String {
    let ids = originalTransactionIds.joined(separator: ", ") + (hasMoreIds ? " and others" : "")
    switch (type, originalTransactionIds.count) {
    case (let type?, 0): return "\(type) without an original transaction id"
    case (nil, 0): return "no type and no original transaction id in it"
    case (let type, let count): return (type ?? "record without a type") + (count == 1 ? " of " : " of one of ") + ids
    }
  }

  package static let mostIds = 5
}

/// Reads a rejected record once more, for its type and its original transaction ids.
///
/// Only what a type or an id consists of is taken: another value, such as a secret, cannot get into a report.
final class RejectSubjectReader {
  private let limits: JSONLimits
  /// One for each layer: the text of a layer is held while inner ones are read.
  private var readers: [NestedReader] = []
  private var found = RejectSubject()
  private var types: Set<String> = []

  /// A notification, its payload, its transaction; around them a row, and the body of a queue's message.
  private static let layers = 6

  init(_ limits: JSONLimits) { self.limits = limits }

  /// - Returns: `nil` for text that cannot be read.
  func subject(of text: Span<UInt8>) -> RejectSubject? {
    (found, types) = (RejectSubject(), [])
    guard read(text, depth: 0) else { return nil }
    found.type = types.count == 1 ? types.first : nil
    return found
  }

  @discardableResult
  private func read(_ text: Span<UInt8>, depth: Int) -> Bool {
    guard depth < Self.layers else { return false }
    if depth == readers.count { readers.append(NestedReader(limits)) }
    guard let tape = try? readers[depth].read(text) else { return readEncoded(text, depth) }
    for index in 0..<tape.count {
      switch tape[index].kind {
      case .object: note(tape, index)
      case .string where index > 0: readText(tape.text(index).buffer.span, depth)
      default: break
      }
    }
    return true
  }

  private func readText(_ text: Span<UInt8>, _ depth: Int) {
    guard let start = text.firstIndex(where: { !$0.isBlank }) else { return }
    if text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[") {
      read(text, depth: depth + 1)
    } else if TextRecord.form(of: text, isWrapped: true) != nil {
      _ = readEncoded(text, depth)
    }
  }

  private func readEncoded(_ text: Span<UInt8>, _ depth: Int) -> Bool {
    if let inner = LayeredBody.unwrap(text, limit: limits.recordBytes) { return read(inner.span, depth: depth + 1) }
    guard TextRecord.form(of: text) == .token,
      let token = CompactJWS(String(decoding: Array(text), as: UTF8.self))
    else { return false }
    return read(token.payload.span, depth: depth + 1)
  }

  private func note(_ tape: JSONTape, _ object: Int) {
    var (type, subtype): (String?, String?)
    for member in tape.children(of: object) {
      let name = tape.key(member)
      if Self.namesOfType.contains(where: { name == $0 }) {
        type = Self.word(tape, member) ?? type
      } else if name == "subtype" {
        subtype = Self.word(tape, member)
      } else if Self.namesOfId.contains(where: { name == $0 }) {
        add(Self.id(tape, member))
      }
    }
    if let type { types.insert(subtype.map { "\(type)/\($0)" } ?? type) }
  }

  // Compared as bytes: an archive may have nothing but rejects.
  private static let namesOfType: [StaticString] = ["notification_type", "notificationType", "notification-type"]
  private static let namesOfId: [StaticString] = [
    "original_transaction_id", "originalTransactionId", "original-transaction-id",
  ]

  private func add(_ id: String?) {
    guard let id, !found.originalTransactionIds.contains(id) else { return }
    guard found.originalTransactionIds.count < RejectSubject.mostIds else {
      found.hasMoreIds = true
      return
    }
    found.originalTransactionIds.append(id)
  }

  private static func word(_ tape: JSONTape, _ index: Int) -> String? {
    let text = tape.text(index)
    guard tape[index].kind == .string, 1...64 ~= text.count,
      text.buffer.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || $0 == UInt8(ascii: "_") })
    else { return nil }
    return text.string
  }

  private static func id(_ tape: JSONTape, _ index: Int) -> String? {
    let text = tape.text(index)
    guard tape[index].kind == .string || tape[index].kind == .number, 1...20 ~= text.count,
      text.buffer.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return text.string
  }
}

extension RejectSubject {
  /// The members that name the record, of one object.
  func write(to writer: JSONWriter) {
    writer.member("type", ifPresent: type)
    if originalTransactionIds.count == 1, !hasMoreIds {
      writer.member("originalTransactionId", originalTransactionIds[0])
    } else if !originalTransactionIds.isEmpty {
      writer.member("originalTransactionIds", originalTransactionIds)
    }
  }
}
