internal import SlipcastDigest
@_spi(Slipcast) internal import SlipcastLegacy
package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// A notification as it was received: its version, and what distinguishes it from other events.
package struct IncomingNotification: Sendable {
  package enum Version: String, CaseIterable, Sendable { case v1 = "V1", v2 = "V2" }

  package var version: Version
  /// The id of the first event with its key: `notificationUUID` of V2, that of `convert` for V1.
  package var id: KnownIDs.ID
  /// What distinguishes deliveries of a V1 event from other events; `nil` where the id alone does.
  package var trace: EventTrace?
  /// A digest of what all deliveries of an event have in common; 0 where it is unknown.
  package var content: UInt32 = 0
  /// The shared secret of a V1 body; it is compared and never kept.
  package var secret: [UInt8]?
  /// The app that a V1 body names.
  package var bundleId: String?
  /// The environment that a V1 body names: `Production` or `Sandbox`; another word as it is.
  package var environment: String?
  /// The decoded payload of a V2 body; its signature is not verified here.
  package var payload: [UInt8] = []
}

/// Why a body is not a notification.
package struct NotificationFault: Error, Sendable {
  /// One word: `notJSON` or `notANotification`.
  package var code: String
  /// What was expected, and where; never a value of the body.
  package var message: String
}

/// Reads the bodies of requests; for one thread at a time.
package final class NotificationReader {
  private let reader: JSONReader
  private let legacy = LegacyReader()
  private let converter: Converter

  package init(prepared: Converter.PreparedRules, recordBytes: Int) {
    reader = JSONReader(names: LegacyKey.names, limits: JSONLimits(recordBytes: recordBytes))
    converter = Converter(prepared: prepared, options: ConversionOptions(), record: legacy.record)
  }

  /// Finds out what a body is, whoever sent it.
  package func read(_ body: [UInt8], receivedAt: Int64) throws -> IncomingNotification {
    try read(body, receivedAt: receivedAt) { _ in }
  }

  /// Finds out what a body is.
  ///
  /// - Parameters:
  ///   - receivedAt: when it arrived, milliseconds since 1970 UTC.
  ///   - admit: decides by the version, the secret, the app and the payload, before anything is converted: strangers cost
  ///     no more than reading their JSON.
  package func read<Fault: Error>(
    _ body: [UInt8], receivedAt: Int64, admit: (IncomingNotification) throws(Fault) -> Void
  ) throws -> IncomingNotification {
    let buffer = JSONBuffer(body)
    defer { withExtendedLifetime(buffer) {} }
    let tape: JSONTape
    do throws(JSONError) {
      tape = try reader.read(buffer)
    } catch {
      throw NotificationFault(code: "notJSON", message: "\(error.message) at byte \(error.offset)")
    }
    let root = JSONElement(tape: tape)
    if let payload = root["signedPayload"] {
      let found = try signed(payload)
      try admit(found)
      return found
    }
    guard root.kind == .object, root["notification_type"]?.kind == .string else {
      throw NotificationFault(
        code: "notANotification", message: "expected an object with notification_type or signedPayload")
    }
    var found = IncomingNotification(version: .v1, id: KnownIDs.ID(digestOf: body))
    found.secret = root["password"].map { Array(($0.string ?? $0.json).utf8) }
    found.bundleId = root["bid"]?.string
    found.environment = root["environment"]?.string.map { $0 == "PROD" ? "Production" : $0 }
    try admit(found)
    // A body that cannot be converted is an event all the same: equal bytes are the same one.
    guard (try? legacy.read(tape, root: 0)) != nil, legacy.record.form == .notification else { return found }
    converter.prepare(Converter.Delivery(receivedAt: receivedAt))
    guard (try? converter.convert(into: .notification)) != nil else { return found }
    let trace = converter.trace
    (found.id, found.trace) = (KnownIDs.ID(high: trace.high, low: trace.low), trace)
    found.content = UInt32(truncatingIfNeeded: converter.contentDigest)
    return found
  }

  private func signed(_ payload: JSONElement) throws(NotificationFault) -> IncomingNotification {
    guard let text = payload.string, let token = CompactJWS(text) else {
      throw NotificationFault(code: "notANotification", message: "expected a compact JWS at /signedPayload")
    }
    let content = SHA256Stream()
    let payload = JSONReader(names: []).parse(JSONBuffer(token.payload)) { root -> String? in
      guard root.kind == .object else { return nil }
      Self.add(root, to: content)
      return root["notificationUUID"]?.string ?? ""
    }
    guard let id = payload else {
      throw NotificationFault(code: "notANotification", message: "expected a JSON object as payload of /signedPayload")
    }
    // Zero stands for no id in tables of ids.
    let stated = KnownIDs.ID(uuid: id).flatMap { $0.high | $0.low == 0 ? nil : $0 }
    var found = IncomingNotification(version: .v2, id: stated ?? KnownIDs.ID(digestOf: token.payload))
    found.content = UInt32(content.hexadecimal.prefix(8), radix: 16) ?? 0
    found.payload = token.payload
    return found
  }

  /// Adds what a payload and the payloads inside it say, without signatures and times of signing: Apple may sign a
  /// repetition again.
  private static func add(_ object: JSONElement, to content: SHA256Stream) {
    for member in object.children where member.name != "signedDate" {
      content.add(member.name)
      if member.kind == .object {
        add(member, to: content)
      } else if member.name.hasPrefix("signed"), let token = CompactJWS(member) {
        JSONReader(names: []).parse(JSONBuffer(token.payload)) { add($0, to: content) }
      } else {
        content.add(member.json)
      }
    }
  }
}
