@_spi(Slipcast) import SlipcastV2
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// The typed models of version 2.
  static let server = FuzzTarget(
    name: "server",
    summary: "what a V2 model reads it writes, and what it wrote reads as the same value and writes the same text",
    seeds: {
      try Seeds.files(["notifications", "receipts", "pairs"], named: ["v2.json"], most: 80).enumerated()
        .map { [UInt8($0.offset % 7)] + $0.element }
    },
    words: ServerWords.names,
    limit: 8 << 10,
    make: {
      let bench = ModelBench()
      return { bytes in try bench.run(bytes.first ?? 0, bytes.rest) }
    })
}

/// Reads and writes V2 models.
private final class ModelBench {
  private let (first, second) = (TextReader(), TextReader())
  private let (line, again) = (JSONWriter(), JSONWriter())

  func run(_ choice: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) throws {
    guard let text = first.value(bytes) else { return }
    switch choice % 7 {
    case 0: try roundTrip(ResponseBodyV2DecodedPayload.self, text)
    case 1: try roundTrip(HistoryResponse.self, text)
    case 2: try roundTrip(StatusResponse.self, text)
    case 3: try roundTrip(JWSTransactionDecodedPayload.self, text)
    case 4: try roundTrip(JWSRenewalInfoDecodedPayload.self, text)
    case 5: try roundTrip(AppTransaction.self, text)
    default: try roundTrip(ResponseBodyV2.self, text)
    }
  }

  private func roundTrip<Model: FieldModel & Equatable>(_ type: Model.Type, _ text: JSONElement) throws {
    guard let value = try? Model(element: text) else { return }
    line.clear()
    value.write(to: line)
    guard let written = second.value(line.buffer), let other = try? Model(element: written) else {
      throw Violation("\(type) does not read what it wrote")
    }
    guard other == value else { throw Violation("\(type) reads another value than it wrote") }
    again.clear()
    other.write(to: again)
    guard again.buffer.elementsEqual(line.buffer) else {
      throw Violation("\(type) writes the same value in two ways")
    }
  }
}

/// The keys of V2's models.
enum ServerWords {
  static let names: [String] = [
    keys(ResponseBodyV2DecodedPayload.self), keys(NotificationData.self), keys(JWSTransactionDecodedPayload.self),
    keys(JWSRenewalInfoDecodedPayload.self), keys(AppTransaction.self), keys(Summary.self), keys(Migration.self),
  ].flatMap { $0 }

  private static func keys<Model: FieldModel>(_ type: Model.Type) -> [String] { Model.fields.map(\.name) }
}
