@_spi(Slipcast) internal import SlipcastWire

/// What a signed payload holds, decoded without trust; kept until the next one.
final class SignedText {
  private let reader: JSONReader
  private var text: JSONBuffer?
  /// The header that was searched last: most tokens of an archive have the same one.
  private var searched: (header: [UInt8], isOfTestIdentity: Bool) = ([], false)

  init(_ limits: JSONLimits) { reader = JSONReader(names: KeyTable.shared.names, limits: limits) }

  /// A test identity of Slipcast signed it: its certificates, base64 in the header, name it.
  func isOfTestIdentity(_ token: CompactJWS) -> Bool {
    if searched.header != token.header {
      let text = String(decoding: token.header, as: UTF8.self)
      searched = (token.header, Self.testNames.contains { text.contains($0) })
    }
    return searched.isOfTestIdentity
  }

  /// `Slipcast Test` in base64, at each of the three places where it can begin.
  private static let testNames = ["U2xpcGNhc3QgVGVzd", "NsaXBjYXN0IFRlc3", "TbGlwY2FzdCBUZXN0"]

  func read(_ token: CompactJWS) throws(JSONError) -> JSONTape {
    let text = JSONBuffer(token.payload)
    self.text = text
    return try reader.read(text)
  }
}
