@_spi(Slipcast) package import SlipcastWire

/// Parts as the index of customers keeps them: one JSON text for the parts of one app and environment in a record.
package enum KeptParts {
  package static func text(_ parts: [V2Part]) -> [UInt8] {
    JSONWriter.object(capacity: 1024 * max(parts.count, 1)) { writer in
      writer.list("parts", parts) { part in
        writer.member("kind", part.kind.rawValue)
        writer.member("origin", part.origin)
        if part.isConverted { writer.member("isConverted", true) }
        writer.member("signedDate", ifPresent: part.signedDate)
        writer.member("environment", ifPresent: part.environment)
        writer.member("bundleId", ifPresent: part.bundleId)
        writer.member("inferred", part.inferred.sorted())
        writer.object("values") {
          for (name, value) in part.values.sorted(by: { $0.key < $1.key }) { write(value, name, to: writer) }
        }
      }
    }.bytes
  }

  private static func write(_ value: V2Value, _ name: String, to writer: JSONWriter) {
    switch value {
    case .text(let text): writer.member(name, text)
    case .integer(let number): writer.member(name, number)
    case .boolean(let flag): writer.member(name, flag)
    case .other:
      writer.key(name)
      writer.raw("[]")
    }
  }

  /// `nil` for a text that is not such a one.
  package static func parts(of record: JSONElement) -> [V2Part]? {
    guard let list = record["parts"], list.kind == .array else { return nil }
    return list.children.compactMap { item in
      guard let kind = item["kind"]?.string.flatMap(V2Part.Kind.init), let values = item["values"] else { return nil }
      var part = V2Part(kind: kind, values: [:], origin: item["origin"]?.string ?? "")
      for value in values.children { part.values[value.name] = V2Value(value) }
      part.isConverted = item["isConverted"]?.boolean ?? false
      part.signedDate = item["signedDate"]?.integer
      (part.environment, part.bundleId) = (item["environment"]?.string, item["bundleId"]?.string)
      part.inferred = Set(item["inferred"]?.children.compactMap(\.string) ?? [])
      return part
    }
  }
}
