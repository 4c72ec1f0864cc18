import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// Bodies in other encodings become what the plain body becomes; the secret stays out of their rejects.
@Suite struct LayeredBodyTests {
  /// One way to wrap a text.
  enum Layer: String, CaseIterable, Sendable {
    case base64, base64url, hexadecimal, digits, string

    func wrap(_ text: String) -> String {
      let bytes = Array(text.utf8)
      switch self {
      case .base64: return Base64.encode(bytes)
      case .base64url:
        return Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      case .hexadecimal: return "\\x" + Hexadecimal.encode(bytes)
      case .digits: return "0x" + Hexadecimal.encode(bytes)
      case .string: return Self.quoted(text)
      }
    }

    static func quoted(_ text: String) -> String {
      let writer = JSONWriter(capacity: 1024)
      writer.text(text)
      return writer.string
    }
  }

  private func lines(_ body: String) async throws -> (lines: String, rejects: [Reject]) {
    let run = try await Runs.convert("{\"payload\":\(Layer.quoted(body))}") { options in
      options.body = JSONPointer("/payload")
      options.keepsRejects = true
    }
    return (String(decoding: run.sink.output, as: UTF8.self), run.rejects)
  }

  static let pairs = Layer.allCases.flatMap { one in Layer.allCases.map { (one, $0) } }

  @Test(arguments: Layer.allCases)
  func aWrappedBodyIsConvertedLikeAPlainOne(_ layer: Layer) async throws {
    let record = Sample.line(1)
    let (plain, wrapped) = (try await lines(record), try await lines(layer.wrap(record)))
    #expect(!plain.lines.isEmpty && plain.rejects.isEmpty)
    #expect(wrapped.lines == plain.lines && wrapped.rejects.isEmpty)
  }

  @Test(arguments: pairs)
  func twoLayersAreTakenOff(_ inner: Layer, _ outer: Layer) async throws {
    let record = Sample.line(1)
    let (plain, wrapped) = (try await lines(record), try await lines(outer.wrap(inner.wrap(record))))
    #expect(wrapped.lines == plain.lines && wrapped.rejects.isEmpty, "\(wrapped.rejects.map(\.message))")
  }

  @Test(arguments: Layer.allCases)
  func aSecretInAWrappedBodyIsNotInItsReject(_ layer: Layer) async throws {
    let broken = #"{"password":"SECRET-SLIPCAST-layer","notification_type":5}"#
    let found = try await lines(layer.wrap(broken))
    #expect(found.lines.isEmpty && found.rejects.count == 1)
    for reject in found.rejects {
      let text = String(decoding: reject.input, as: UTF8.self)
      #expect(!text.contains("SECRET-SLIPCAST"))
      #expect(!text.contains(Base64.encode(Array("SECRET-SLIPCAST-layer".utf8)).prefix(12)))
      #expect(!text.lowercased().contains(Hexadecimal.encode(Array("SECRET-SLIPCAST".utf8)).lowercased()))
    }
  }

  @Test func aRecordInBase64AsALineIsConverted() async throws {
    let record = Sample.line(1)
    let plain = try await Runs.convert(record)
    let wrapped = try await Runs.convert(Base64.encode(Array(record.utf8)))
    #expect(wrapped.sink.output == plain.sink.output && wrapped.rejects.isEmpty)
  }

  /// Mail programs and `base64` wrap at 76 characters.
  @Test(arguments: ["\n", "\r\n"])
  func wrappedBase64OfRecordsIsConverted(_ feed: String) async throws {
    let records = [Sample.line(1), Sample.line(2)]
    let plain = try await Runs.convert(records.joined(separator: "\n"))
    let wrapped = records.map { TextSample.wrapped(Base64.encode(Array($0.utf8)), 76, feed: feed) }
    #expect(wrapped.allSatisfy { $0.hasPrefix("eyJ") })
    let run = try await Runs.convert(wrapped.joined(separator: feed + feed))
    #expect(run.sink.output == plain.sink.output && run.rejects.isEmpty, "\(run.rejects.map(\.message))")
  }

  @Test func moreThanFourLayersAreNotTakenOff() async throws {
    var body = Sample.line(1)
    for _ in 0..<4 { body = Layer.base64.wrap(body) }
    #expect(try await lines(body).rejects.isEmpty)
    #expect(try await lines(Layer.base64.wrap(body)).rejects.count == 1)
  }
}
