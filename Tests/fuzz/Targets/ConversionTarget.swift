import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// The conversion of a record; the first byte chooses the options.
  static let cast = FuzzTarget(
    name: "cast",
    summary: "a record is converted or rejected; the line is sound JSON, reads as typed V2, and contains no secret",
    seeds: {
      try Seeds.files(["notifications", "receipts"], named: ["v1.json"], most: 120).enumerated()
        .map { [UInt8($0.offset % 32)] + $0.element }
    },
    words: LegacyWords.all,
    limit: 8 << 10,
    make: {
      let bench = ConversionBench(LegacyConverter.PreparedRules(rules: try RuleSet.builtIn()))
      return { bytes in try bench.run(bytes.first ?? 0, bytes.rest) }
    })
}

/// Converts records as `slipcast convert` does, and in the library's way.
final class ConversionBench {
  private let converter: RecordConverter
  private let (line, account) = (JSONWriter(), JSONWriter())
  private let (lines, records) = (TextReader(), TextReader())

  init(_ prepared: LegacyConverter.PreparedRules) { converter = RecordConverter(prepared: prepared) }

  /// Two bits of the choice name what the record becomes; the others the received time, the form of the line, and
  /// whether the library's values are compared with it.
  func run(_ choice: UInt8, _ record: UnsafeBufferPointer<UInt8>) throws {
    let emission = Emission.allCases[Int(choice & 3)]
    let receivedAt = choice & 4 == 0 ? nil : Timestamp(milliseconds: 1_700_000_000_000)
    guard try convert(record, receivedAt, emission, isPlain: choice & 24 == 24) else { return }
    guard let root = lines.value(line.buffer) else { throw Violation("the output is not JSON") }
    if choice & 16 == 0 { try requireModel(root, emission) }
    if choice & 24 == 8 { try requireSameValue(record, receivedAt, emission) }
    try requireSecrecy(record)
  }

  /// The line of a record, valid until the next one.
  ///
  /// - Throws: the errors of the conversion.
  func line(
    of record: UnsafeBufferPointer<UInt8>, receivedAt: Timestamp? = nil, into emission: Emission
  ) throws -> UnsafeBufferPointer<UInt8> {
    try write(record, receivedAt, emission, isPlain: false)
    return line.buffer
  }

  @discardableResult
  private func write(
    _ record: UnsafeBufferPointer<UInt8>, _ receivedAt: Timestamp?, _ emission: Emission, isPlain: Bool
  ) throws -> Converter {
    line.clear()
    let filled = try converter.filled(with: record, receivedAt: receivedAt, into: emission)
    filled.write(to: line, plain: isPlain)
    return filled
  }

  /// Writes the line and the account of a record; false for a record that is rejected.
  private func convert(
    _ record: UnsafeBufferPointer<UInt8>, _ receivedAt: Timestamp?, _ emission: Emission, isPlain: Bool
  ) throws -> Bool {
    account.clear()
    do {
      let filled = try write(record, receivedAt, emission, isPlain: isPlain)
      filled.writeAccount(to: account)
      guard
        !filled.isAmbiguous || filled.tree.form != .notification
          || filled.migrationReading.candidates?.count ?? 0 > 1
      else { throw Violation("ambiguous without candidates") }
      return true
    } catch is JSONError {
      return false
    } catch is LegacyError {
      return false
    } catch is ConversionError {
      return false
    }
  }

  /// The line reads as the typed value of its form.
  private func requireModel(_ root: JSONElement, _ emission: Emission) throws {
    do {
      if root["notificationType"] != nil {
        _ = try ResponseBodyV2DecodedPayload(element: root)
      } else if emission == .statuses {
        _ = try StatusResponse(element: root)
      } else {
        _ = try HistoryResponse(element: root)
      }
    } catch {
      throw Violation("the output is not a V2 model: \(error)")
    }
  }

  /// The library's value is written as the line of the command.
  private func requireSameValue(
    _ record: UnsafeBufferPointer<UInt8>, _ receivedAt: Timestamp?, _ emission: Emission
  ) throws {
    let conversion: Conversion
    do {
      conversion = try converter.convert(record, receivedAt: receivedAt, into: emission)
    } catch {
      throw Violation("the output is not a V2 model: \(error)")
    }
    guard conversion.json.utf8.elementsEqual(line.buffer) else {
      throw Violation("the library's text differs from the line of the command")
    }
    account.raw("\(conversion.findings)")
  }

  /// A secret as long as Apple's is in no output.
  private func requireSecrecy(_ record: UnsafeBufferPointer<UInt8>) throws {
    guard record.contains(Array("\"password\"".utf8)), let root = records.value(record) else { return }
    // Somebody who writes the secret into another field as well publishes it.
    let texts = Self.strings(root, in: "")
    guard let secret = texts.first(where: { $0.key == "password" })?.value, secret.utf8.count >= 16,
      !texts.contains(where: { $0.key != "password" && ($0.key + $0.value).contains(secret) })
    else { return }
    let bytes = Array(secret.utf8)
    if line.buffer.contains(bytes) || account.buffer.contains(bytes) {
      throw Violation("the output contains the secret")
    }
  }

  /// Every text of a value with the key under which it is.
  private static func strings(_ element: JSONElement, in key: String) -> [(key: String, value: String)] {
    if let text = element.string { return [(key, text)] }
    if element.kind == .number { return [(key, element.json)] }
    return element.children.flatMap { strings($0, in: element.kind == .object ? $0.name : key) }
  }
}
