import Foundation
import SlipcastComparison
import SlipcastParity
import Testing

/// Bodies in base64 are compared like plain ones, on both sides.
///
/// Source: contracts §5, base64 of a JSON body.
@Suite struct EncodedBodyTests {
  private static func encoded(_ line: String) -> String { Data(line.utf8).base64EncodedString() }

  private static let forms: [(name: String, wrap: @Sendable (String) -> String, pointer: String?)] = [
    ("a member", { "{\"b\":\"\(encoded($0))\"}" }, "/b"),
    ("a line", { encoded($0) }, nil),
    ("a JSON string", { "\"\(encoded($0))\"" }, nil),
    ("two layers", { "{\"b\":\"\(encoded(encoded($0)))\"}" }, "/b"),
  ]

  @Test(arguments: forms.indices, [true, false])
  func aBodyInBase64IsComparedLikeAPlainOne(_ form: Int, _ isLegacy: Bool) async throws {
    let (name, wrap, pointer) = Self.forms[form]
    var archives = Archives()
    try archives.add(pair: "refund")
    try archives.add(pair: "downgrade-chosen")
    let plain = try await archives.compare()
    #expect(archives.legacy.allSatisfy { Self.encoded($0.drop { $0 == " " }.description).hasPrefix("eyJ") })
    if isLegacy { archives.legacy = archives.legacy.map(wrap) } else { archives.server = archives.server.map(wrap) }
    let result = try await archives.compare(
      serverBody: isLegacy ? nil : pointer, legacyBody: isLegacy ? pointer : nil)
    #expect(result.pairs == plain.pairs && result.pairs.matched == 2, "\(name)")
    #expect(result.samplePairs.count == plain.samplePairs.count, "\(name): samples are read again")
  }
}
