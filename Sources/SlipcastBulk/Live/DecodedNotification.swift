@_spi(Slipcast) internal import SlipcastWire

/// Writes the line of a V2 notification that Apple sent: the form that `convert` writes, with Apple's values.
///
/// Signed parts become their decoded payloads under the names that `convert` uses; all other members stay as they are.
package enum DecodedNotification {
  /// Members of signed objects, each with the member that contains it decoded.
  static let names = [
    "signedTransactionInfo": "transactionInfo", "signedRenewalInfo": "renewalInfo",
    "signedAppTransactionInfo": "appTransactionInfo",
  ]

  /// The line of `{"signedPayload":…}`, without a line feed; `nil` for anything else.
  ///
  /// Signatures are not verified here.
  package static func line(of body: [UInt8]) -> [UInt8]? {
    guard let payload = decoded(body, { $0["signedPayload"]?.string.flatMap { CompactJWS($0) }?.payload }) else {
      return nil
    }
    return decoded(payload) { root in
      guard root.kind == .object else { return nil }
      let writer = JSONWriter(capacity: payload.count * 2)
      write(root, to: writer)
      return writer.bytes
    }
  }

  static func decoded<Result>(_ json: [UInt8], _ use: (JSONElement) -> Result?) -> Result? {
    let (buffer, reader) = (JSONBuffer(json), JSONReader(names: []))
    // The tape belongs to the reader.
    defer { withExtendedLifetime((buffer, reader)) {} }
    guard let tape = try? reader.read(buffer) else { return nil }
    return use(JSONElement(tape: tape))
  }

  /// Signed parts are in the notification or in one of its members.
  private static func write(_ object: JSONElement, to writer: JSONWriter, depth: Int = 0) {
    writer.byte(UInt8(ascii: "{"))
    for member in object.children {
      if let name = names[member.name], let payload = member.string.flatMap({ CompactJWS($0) })?.payload,
        let json = decoded(payload, { $0.kind == .object ? Array($0.json.utf8) : nil })
      {
        writer.key(name)
        writer.raw(json)
        continue
      }
      writer.key(member.name)
      if member.kind == .object, depth == 0 {
        write(member, to: writer, depth: 1)
      } else {
        writer.raw(member.json)
      }
    }
    writer.byte(UInt8(ascii: "}"))
  }
}
