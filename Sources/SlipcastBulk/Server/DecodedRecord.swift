internal import SlipcastDigest
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// V2 records with the content of their signed texts in place of these, under the names that `convert` uses; all other
/// members stay as they are.
///
/// Signatures are not verified here.
struct DecodedRecord {
  private let writer: JSONWriter
  /// A text that should be signed and is not stays as it is; otherwise it is a fault.
  private let keepsUnsigned: Bool

  /// Signed members, each with the member that contains it decoded.
  private static let names = ModelCatalog.decodedNames.filter { $0.key != "signedPayload" }
  /// What may be decoded next to a signed part; it is not read then, because no signature covers it.
  private static let plainNames = Set(names.values)
  /// Answers have items in groups in a list.
  private static let deepest = 5

  /// The line of one record (not of a page), without a line feed.
  static func line(of record: JSONElement) throws(RecordFault) -> [UInt8] {
    guard let plain = V2Envelope.plain(record.tape, record.index) else { return try lineOfPlain(record) }
    return try parsing(plain, at: "") { root throws(RecordFault) in try lineOfPlain(root) }
  }

  private static func lineOfPlain(_ record: JSONElement) throws(RecordFault) -> [UInt8] {
    guard let payload = record["signedPayload"] else { return try copy(record, keepsUnsigned: false) }
    guard let token = payload.string.flatMap({ CompactJWS($0) }) else {
      throw notSigned(payload)
    }
    return try parsing(token.payload, at: "signedPayload") { root throws(RecordFault) in
      switch V2Form(root) {
      case .legacy, .signedPayload, .notificationHistory, nil: throw unknown(root)
      default: try copy(root, keepsUnsigned: false)
      }
    }
  }

  /// Copies an object, without a line feed.
  static func copy(_ record: JSONElement, keepsUnsigned: Bool) throws(RecordFault) -> [UInt8] {
    let copy = DecodedRecord(writer: JSONWriter(capacity: 4096), keepsUnsigned: keepsUnsigned)
    try copy.write(record, depth: 0)
    return copy.writer.bytes
  }

  private static func parsing(
    _ text: [UInt8], at path: String, _ use: (JSONElement) throws(RecordFault) -> [UInt8]
  ) throws(RecordFault) -> [UInt8] {
    let (buffer, reader) = (JSONBuffer(text), JSONReader(names: []))
    defer { withExtendedLifetime((buffer, reader)) {} }
    let tape: JSONTape
    do throws(JSONError) { tape = try reader.read(buffer) } catch {
      throw RecordFault(stage: .row, code: error.code, path: path, message: "the signed payload: \(error.message)")
    }
    return try use(JSONElement(tape: tape))
  }

  // MARK: members

  private func write(_ element: JSONElement, depth: Int) throws(RecordFault) {
    switch element.kind {
    case .object where depth < Self.deepest: try writeObject(element, depth)
    case .array where depth < Self.deepest && element.children.contains { $0.kind == .object }:
      writer.byte(UInt8(ascii: "["))
      for (place, item) in element.children.enumerated() {
        if place > 0 { writer.byte(UInt8(ascii: ",")) }
        try write(item, depth: depth + 1)
      }
      writer.byte(UInt8(ascii: "]"))
    case .string where Self.isNested(element):
      // A record of version 1, with its secret, may be next to one of version 2.
      DecodedCopy(writer: writer, leavesSecretsOut: true).write(element)
    default: writer.raw(element.json)
    }
  }

  /// A text begins like JSON.
  private static func isNested(_ element: JSONElement) -> Bool {
    element.tape.text(element.index).buffer.first { !$0.isBlank }.map { "{[".utf8.contains($0) } ?? false
  }

  private func writeObject(_ object: JSONElement, _ depth: Int) throws(RecordFault) {
    let members = object.children
    let isSigned = members.contains { Self.names[$0.name] != nil && ($0.kind == .string || $0.kind == .array) }
    writer.byte(UInt8(ascii: "{"))
    for member in members {
      // What a database keeps next to Apple's members may be the shared secret.
      if SecretName.matches(member.name) || isSigned && Self.plainNames.contains(member.name) { continue }
      if let name = Self.names[member.name], member.kind != .null {
        if try writeDecoded(member, as: name) { continue }
      }
      writer.key(member.name)
      try write(member, depth: depth + 1)
    }
    writer.byte(UInt8(ascii: "}"))
  }

  /// - Returns: false for a value that stays as it is.
  private func writeDecoded(_ member: JSONElement, as name: String) throws(RecordFault) -> Bool {
    let start = writer.count
    writer.key(name)
    if member.kind == .array {
      writer.byte(UInt8(ascii: "["))
      for (place, item) in member.children.enumerated() {
        if place > 0 { writer.byte(UInt8(ascii: ",")) }
        if try !writePayload(item) {
          writer.truncate(to: start)
          return false
        }
      }
      writer.byte(UInt8(ascii: "]"))
      return true
    }
    if try writePayload(member) { return true }
    writer.truncate(to: start)
    return false
  }

  private func writePayload(_ token: JSONElement) throws(RecordFault) -> Bool {
    let payload = CompactJWS(token)?.payload
    let json = payload.flatMap { JSONReader(names: []).parse(JSONBuffer($0)) { $0.kind == .object ? $0.json : nil } }
    guard let json else {
      guard keepsUnsigned else { throw Self.notSigned(token) }
      return false
    }
    writer.raw(json)
    return true
  }

  // MARK: what is wrong

  private static func notSigned(_ element: JSONElement) -> RecordFault {
    RecordFault(
      stage: .row, code: "notSigned", path: JSONPath(tape: element.tape, index: element.index).description,
      message: "expected a signed payload (compact JWS) with a JSON object in it, found \(element.kind.description)")
  }

  private static func unknown(_ record: JSONElement) -> RecordFault {
    RecordFault(
      stage: .legacy, code: "unknownRecord", path: "signedPayload",
      message: "expected a version 2 record in the signed payload, found \(V2Form(record)?.words ?? "another object")")
  }

  // MARK: content

  /// A digest of what a decoded record says, without times of signing: Apple may sign a repetition again, and other
  /// programs store numbers as text.
  static func content(of record: JSONElement) -> Int64 {
    let digest = SHA256Stream()
    add(record, to: digest)
    return Int64(bitPattern: UInt64(digest.hexadecimal.prefix(16), radix: 16) ?? 0)
  }

  private static func add(_ element: JSONElement, to digest: SHA256Stream) {
    switch element.kind {
    case .object:
      digest.add("{")
      for member in element.children where member.name != "signedDate" && member.kind != .null {
        digest.add("\(member.name.utf8.count):\(member.name)")
        add(member, to: digest)
      }
      digest.add("}")
    case .array:
      digest.add("[")
      for item in element.children { add(item, to: digest) }
      digest.add("]")
    default:
      let text = element.string ?? element.json
      digest.add("\(text.utf8.count):\(text)")
    }
  }
}
