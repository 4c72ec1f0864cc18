internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Writes the line of a V2 notification that Apple sent: the form that `convert` writes, with Apple's values.
///
/// Signed parts become their decoded payloads under the names that `convert` uses; all other members stay as they are.
package enum DecodedNotification {
  /// Signed members of a notification, each with the member that contains it decoded.
  private static let names = ModelCatalog.decodedNames.filter {
    !["signedPayload", "signedTransactions"].contains($0.key)
  }

  /// The line of `{"signedPayload":…}`, without a line feed; `nil` for anything else.
  ///
  /// Signatures are not verified here.
  package static func line(of body: [UInt8]) -> [UInt8]? {
    let reader = JSONReader(names: [])
    let payload = reader.parse(JSONBuffer(body)) { $0["signedPayload"]?.string.flatMap { CompactJWS($0) }?.payload }
    guard let payload else { return nil }
    return reader.parse(JSONBuffer(payload)) { root in
      guard root.kind == .object else { return nil }
      let writer = JSONWriter(capacity: payload.count * 2)
      write(root, to: writer)
      return writer.bytes
    }
  }

  /// Signed parts are in the notification or in one of its members.
  private static func write(_ object: JSONElement, to writer: JSONWriter, depth: Int = 0) {
    writer.byte(UInt8(ascii: "{"))
    for member in object.children {
      if let name = names[member.name], let payload = member.string.flatMap({ CompactJWS($0) })?.payload,
        let json = JSONReader(names: []).parse(JSONBuffer(payload), { $0.kind == .object ? $0.json : nil })
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

  /// The original transaction id of the subscription in such a line; `nil` without one.
  package static func subscription(in line: [UInt8]) -> String? {
    JSONReader(names: []).parse(JSONBuffer(line)) { root in
      guard let data = root["data"] else { return nil }
      return data["transactionInfo"]?["originalTransactionId"]?.string
        ?? data["renewalInfo"]?["originalTransactionId"]?.string
    }
  }
}
