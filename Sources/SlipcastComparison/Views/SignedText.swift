@_spi(Slipcast) internal import SlipcastWire

/// What a signed payload holds, decoded without trust; kept until the next one.
final class SignedText {
  private let reader: JSONReader
  private var text: JSONBuffer?
  private var header: [UInt8] = []
  /// The header that was searched last: most tokens of an archive have the same one.
  private var searched: (header: [UInt8], isOfTestIdentity: Bool) = ([], false)

  init(_ limits: JSONLimits) { reader = JSONReader(names: PartTable.shared.names, limits: limits) }

  /// Splits a token; false when the text is not a token.
  func hold(_ token: String) -> Bool {
    guard let parts = CompactJWS(token) else { return false }
    hold(parts)
    return true
  }

  func hold(_ token: CompactJWS) { (text, header) = (JSONBuffer(token.payload), token.header) }

  /// A test identity of Slipcast signed it: its certificates, base64 in the header, name it.
  var isOfTestIdentity: Bool {
    if searched.header != header {
      let text = String(decoding: header, as: UTF8.self)
      searched = (header, Self.testNames.contains { text.contains($0) })
    }
    return searched.isOfTestIdentity
  }

  /// `Slipcast Test` in base64, at each of the three places where it can begin.
  private static let testNames = ["U2xpcGNhc3QgVGVzd", "NsaXBjYXN0IFRlc3", "TbGlwY2FzdCBUZXN0"]

  /// Reads what is held.
  func read() throws(JSONError) -> JSONTape {
    guard let text else { throw JSONError(reason: .empty) }
    return try reader.read(text)
  }
}
