import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// Bodies in other encodings become what the plain body becomes; the secret stays out of their rejects.
@Suite struct LayeredBodyTests {
  /// One way to wrap a text.
  enum Layer: String, CaseIterable, Sendable {
    case base64, base64url, hexadecimal, digits, bareDigits, groups, string, dataURL, form, pem

    func wrap(_ text: String) -> String { wrap(Array(text.utf8)) }

    func wrap(_ bytes: [UInt8]) -> String {
      switch self {
      case .base64: return Base64.encode(bytes)
      case .base64url:
        return Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      case .hexadecimal: return "\\x" + Hexadecimal.encode(bytes)
      case .digits: return "0x" + Hexadecimal.encode(bytes)
      case .bareDigits: return Hexadecimal.encode(bytes).lowercased()
      case .groups: return "<\(Hexadecimal.encode(bytes).lowercased())>"
      case .string: return Self.quoted(String(validating: bytes, as: UTF8.self) ?? Base64.encode(bytes))
      case .dataURL: return "data:application/json;base64," + Base64.encode(bytes)
      case .form: return "a=1&receipt-data=" + Hexadecimal.percentEncoded(Base64.encode(bytes), keeping: "")
      case .pem:
        return "-----BEGIN PKCS7-----\n" + TextSample.wrapped(Base64.encode(bytes), 64, feed: "\n")
          + "\n-----END PKCS7-----\n"
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

  /// Digits without a sign before them are read where they begin like JSON, gzip or a receipt.
  static let pairs = Layer.allCases.flatMap { one in Layer.allCases.map { (one, $0) } }
    .filter { $0.1 != .bareDigits }

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

  /// A form decodes the plus signs of base64 as blanks.
  @Test func blanksInBase64StandForPlusSigns() async throws {
    let record = Sample.line(1).replacing(#"{"notification_type""#, with: #"{"note":"~~~~~~>>>","notification_type""#)
    let text = Base64.encode(Array(record.utf8))
    #expect(text.contains("+"))
    let (plain, restored) = (try await lines(record), try await lines(text.replacing("+", with: " ")))
    #expect(!plain.lines.isEmpty && restored.lines == plain.lines)
  }

  static let receiptLayers: [[Layer]] =
    Layer.allCases.map { [$0] } + [[.base64, .base64], [.base64, .string, .base64, .base64], [.pem, .dataURL]]

  /// A receipt is found in the same encodings as JSON, also several times over.
  @Test(arguments: receiptLayers)
  func aReceiptInLayersIsReadLikeAPlainOne(_ layers: [Layer]) async throws {
    let receipt = try Fixture.named("receipts/signed/app-production").bytes("receipt.base64")
    let plain = try await lines(String(decoding: receipt.filter { !$0.isBlank }, as: UTF8.self))
    let bytes = try #require(Base64.decode(receipt))
    var text = layers[0].wrap(bytes)
    for layer in layers.dropFirst() { text = layer.wrap(Array(text.utf8)) }
    let found = try await lines(text)
    #expect(!plain.lines.isEmpty && found.lines == plain.lines, "\(found.rejects.map(\.message))")
  }

  @Test(arguments: Layer.allCases.filter { $0 != .string })
  func aLineInAnyEncodingIsARecord(_ layer: Layer) async throws {
    let plain = try await Runs.convert(Sample.line(1) + "\n" + Sample.line(2))
    let wrapped = try await Runs.convert(layer.wrap(Sample.line(1)) + "\n" + Sample.line(2))
    #expect(wrapped.sink.output == plain.sink.output && wrapped.rejects.isEmpty, "\(wrapped.rejects.map(\.message))")
  }

  /// The password of a request in a form is in no reject either.
  @Test(arguments: [
    "receipt-data=AAAA&password=SECRET-SLIPCAST-form", "password=SECRET-SLIPCAST-form&receipt-data=eyJhIjox",
  ])
  func aSecretInAFormIsNotInItsReject(_ text: String) async throws {
    let found = try await Runs.convert(text) { $0.keepsRejects = true }
    #expect(found.rejects.count == 1)
    #expect(found.rejects.allSatisfy { !String(decoding: $0.input, as: UTF8.self).contains("SECRET-SLIPCAST") })
  }
}
