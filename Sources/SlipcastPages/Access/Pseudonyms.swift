internal import SlipcastDigest
internal import SlipcastWire

/// Replaces ids by names that are always the same for one store, and that cannot be turned back without it.
///
/// A link needs the id itself: it carries the id in a sealed form, which only this program opens. The seal is a
/// synthetic initialization vector (as in RFC 5297, with HMAC of SHA-256): equal ids have equal seals, and a changed
/// seal is not accepted.
struct Pseudonyms: Sendable {
  private let key: [UInt8]

  /// - Parameter secret: what only the store has.
  init(secret: String) { key = Self.hash(Array("slipcast ui pseudonyms\n\(secret)".utf8)) }

  /// The name of an id: `id-3f9a1c2b04d1`.
  func name(_ id: String) -> String { "id-" + Hexadecimal.encode(Array(seal(id).prefix(6))).lowercased() }

  /// The id as links carry it.
  func sealed(_ id: String) -> String { "~" + Hexadecimal.encode(seal(id)).lowercased() }

  /// The id of a link; `nil` for a text that this did not seal.
  func opened(_ text: String) -> String? {
    guard text.hasPrefix("~"), let bytes = Hexadecimal.decode(String(text.dropFirst())), bytes.count > Self.tag else {
      return nil
    }
    let id = crypt(Array(bytes[Self.tag...]), Array(bytes[..<Self.tag]))
    guard Array(mac(id).prefix(Self.tag)) == Array(bytes[..<Self.tag]) else { return nil }
    return String(decoding: id, as: UTF8.self)
  }

  private static let tag = 12

  private func seal(_ id: String) -> [UInt8] {
    let bytes = Array(id.utf8)
    let tag = Array(mac(bytes).prefix(Self.tag))
    return tag + crypt(bytes, tag)
  }

  /// HMAC with a key of 32 bytes.
  private func mac(_ bytes: [UInt8]) -> [UInt8] {
    func padded(_ byte: UInt8) -> [UInt8] {
      (0..<64).map { ($0 < key.count ? key[$0] : 0) ^ byte }
    }
    return Self.hash(padded(0x5C) + Self.hash(padded(0x36) + bytes))
  }

  /// Adds a stream that depends on the key and the tag; the same again takes it away.
  private func crypt(_ bytes: [UInt8], _ tag: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    var block: UInt8 = 0
    while stream.count < min(bytes.count, 32 * 255) {
      block &+= 1
      stream += mac(Array("stream".utf8) + tag + [block])
    }
    return zip(bytes, stream).map { $0 ^ $1 }
  }

  private static func hash(_ bytes: [UInt8]) -> [UInt8] {
    Hexadecimal.decode(SHA256Stream.hexadecimal(of: bytes)) ?? []
  }
}
