import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// The whole cast, into everything that a record can become.
  static let cast = FuzzTarget(
    name: "cast",
    summary: "a record is cast or refused with a place; the result is sound JSON, reads as typed V2, tells no secret",
    seeds: { try Seeds.files(["notifications", "receipts"], named: ["v1.json"], most: 120) },
    words: LegacyWords.all,
    make: {
      let converter = try LegacyConverter()
      return { bytes in
        let record = Array(bytes)
        for emission in Emission.allCases { try cast(record, into: emission, by: converter) }
      }
    })

  private static func cast(_ record: [UInt8], into emission: Emission, by converter: LegacyConverter) throws {
    let cast: Conversion
    do {
      cast = try converter.convert(record, into: emission)
    } catch is JSONError {
      return
    } catch is LegacyError {
      return
    } catch is ConversionError {
      return
    } catch {
      throw Violation("what was written is no V2 model: \(error)")
    }
    guard (try? ReadText(cast.json)) != nil else { throw Violation("what was written is no JSON") }
    guard cast.confidence != .ambiguous || cast.migration?.candidates?.count ?? 0 > 1 else {
      throw Violation("ambiguous without candidates")
    }
    try requireSecrecy(record, cast)
  }

  /// A secret as long as Apple's stands in no output.
  private static func requireSecrecy(_ record: [UInt8], _ cast: Conversion) throws {
    guard let text = try? ReadText(record) else { return }
    // Somebody who writes the secret into another field as well publishes it.
    let secrets = withExtendedLifetime(text) { strings(text.root, in: "") }
    guard let secret = secrets.first(where: { $0.key == "password" })?.value, secret.utf8.count >= 16,
      !secrets.contains(where: { $0.key != "password" && ($0.key + $0.value).contains(secret) })
    else { return }
    if (cast.json + "\(cast.findings)").contains(secret) { throw Violation("the secret was told") }
  }

  /// Every text of a value with the key under which it stands.
  private static func strings(_ element: JSONElement, in key: String) -> [(key: String, value: String)] {
    if let text = element.string { return [(key, text)] }
    if element.kind == .number { return [(key, element.json)] }
    return element.children.flatMap { strings($0, in: element.kind == .object ? $0.name : key) }
  }
}
