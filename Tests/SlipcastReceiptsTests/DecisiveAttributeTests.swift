import SlipcastMapping
import SlipcastSignatures
import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastReceipts

/// What a receipt is trusted for.
@Suite struct DecisiveAttributeTests {
  typealias Bytes = ReceiptBytes

  static func receipt(_ attributes: [UInt8]...) throws -> AppReceipt { try HandMade.receipt(Bytes.set(attributes)) }

  @Test(arguments: [
    ("Production", "Production"), ("ProductionVPP", "Production"), ("ProductionSandbox", "Sandbox"),
    ("ProductionVPPSandbox", "Sandbox"), ("Sandbox", "Sandbox"), ("Xcode", "Xcode"), ("production", nil), ("", nil),
    ("Production ", nil), ("ProductionX", nil),
  ])
  func theTypeMeansAnEnvironment(_ type: String, _ environment: String?) throws {
    #expect(try Self.receipt(Bytes.attribute(0, Bytes.utf8(type))).environment == environment)
  }

  @Test func whatIsMissingIsNothing() throws {
    let receipt = try Self.receipt()
    #expect(receipt.environment == nil)
    #expect(receipt.receiptType == nil)
    #expect(receipt.bundleIdentifier == nil)
    #expect(receipt.appAppleId == nil)
    #expect(HandMade.refusal { () throws(Refusal) in try receipt.requireDecisiveAttributes() } == nil)
    #expect(HandMade.refusal { () throws(Refusal) in _ = try receipt.requiredCreationDate() } == .creationDateMissing)
    #expect(HandMade.refusal { () throws(Refusal) in try receipt.requireDevice([1]) } == .deviceHashMissing)
  }

  @Test(arguments: [(0, nil), (-1, nil), (1_289_197_285, 1_289_197_285)] as [(Int64, Int64?)])
  func anAppIdIsPositive(_ value: Int64, _ appAppleId: Int64?) throws {
    #expect(try Self.receipt(Bytes.attribute(1, Bytes.integer(value))).appAppleId == appAppleId)
  }

  @Test(arguments: [0, 1, 2, 4, 5, 12] as [Int64])
  func aDecisiveAttributeThatStandsTwiceIsRefused(_ type: Int64) throws {
    let receipt = try HandMade.receipt(Bytes.receipt(adding: [Bytes.attribute(type, Bytes.utf8("x"))]))
    #expect(
      HandMade.refusal { () throws(Refusal) in try receipt.requireDecisiveAttributes() } == .attributeDuplicate)
  }

  @Test func othersMayStandTwice() throws {
    let receipt = try HandMade.receipt(Bytes.receipt(adding: [Bytes.attribute(10, Bytes.ia5("9+")), Bytes.purchase()]))
    #expect(HandMade.refusal { () throws(Refusal) in try receipt.requireDecisiveAttributes() } == nil)
  }

  @Test(
    arguments: [0, 2] as [Int64],
    [[0x0C, 1, 0xFF], Bytes.utf8("a\0b"), Bytes.utf8("a") + [0], Bytes.integer(1), [1, 2, 3], []] as [[UInt8]])
  func aDecisiveTextMustBeWhole(_ type: Int64, _ value: [UInt8]) throws {
    let receipt = try Self.receipt(Bytes.attribute(type, value))
    #expect(HandMade.refusal { () throws(Refusal) in try receipt.requireDecisiveAttributes() } == .textMalformed)
    #expect(receipt.receiptType == nil)
    #expect(receipt.bundleIdentifier == nil)
  }

  @Test(
    arguments: [
      (Bytes.ia5(""), Refusal.Reason.creationDateMissing), (Bytes.ia5("yesterday"), .creationDateUnreadable),
      (Bytes.utf8("2022-03-21T10:00:00Z"), .creationDateUnreadable), (Bytes.integer(5), .creationDateUnreadable),
      ([], .creationDateUnreadable), (Bytes.ia5("2022-03-21T10:00:00Z") + [0], .creationDateUnreadable),
    ] as [([UInt8], Refusal.Reason)])
  func aDateThatIsNoneIsToldApartFromNone(_ value: [UInt8], _ reason: Refusal.Reason) throws {
    let receipt = try Self.receipt(Bytes.attribute(12, value))
    #expect(HandMade.refusal { () throws(Refusal) in _ = try receipt.requiredCreationDate() } == reason)
  }

  @Test func theDateIsRead() throws {
    let receipt = try HandMade.receipt(Bytes.receipt())
    #expect(try receipt.requiredCreationDate().description == "2022-03-21T10:00:00Z")
  }

  /// SHA-1 of the bytes 1, 2, 3, the salt 10…1F and `0C 14 com.example.slipcast`, worked out with `openssl sha1`.
  @Test func theHashTakesTheBundleIdWithItsHeader() throws {
    let device: [UInt8] = [1, 2, 3]
    let hash = Digest.sha1(device + Bytes.opaque + Bytes.utf8("com.example.slipcast"))
    let receipt = try HandMade.receipt(Bytes.receipt(leavingOut: [5], adding: [Bytes.attribute(5, hash)]))
    #expect(hash == Self.known)
    #expect(HandMade.refusal { () throws(Refusal) in try receipt.requireDevice(device) } == nil)
    #expect(HandMade.refusal { () throws(Refusal) in try receipt.requireDevice([1, 2, 4]) } == .deviceMismatch)
  }

  static let known: [UInt8] = [
    0xA4, 0xAC, 0x9C, 0x35, 0xF9, 0x59, 0x1F, 0x31, 0xE0, 0x52,
    0xD4, 0xD6, 0xE4, 0x62, 0xBA, 0x12, 0x66, 0xF8, 0xD2, 0x4D,
  ]

  @Test(arguments: [2, 4, 5] as [Int64])
  func withoutItsPartsNoDeviceIsRecognised(_ type: Int64) throws {
    let receipt = try HandMade.receipt(Bytes.receipt(leavingOut: [type]))
    #expect(HandMade.refusal { () throws(Refusal) in try receipt.requireDevice([1]) } == .deviceHashMissing)
  }

  /// A user's rules rename attributes; they cannot change which attributes are verified.
  @Test func rulesOfAUsersOwnDoNotMoveThem() throws {
    let text = """
      {"family":"receipt-attributes","rules":[
      {"id":"receipt-attributes.2","type":2,"in":"receipt","as":"raw","name":"x","source":"INFERENCE"},
      {"id":"receipt-attributes.3","type":3,"in":"receipt","as":"utf8","to":["bundle_id"],"name":"x","source":"INFERENCE"}
      ]}
      """
    let rules = try RuleSet(overlays: [(name: "own.json", bytes: Array(text.utf8))])
    let receipt = try AppReceipt(content: Bytes.receipt(), table: ReceiptAttributeTable(rules))
    #expect(receipt.bundleIdentifier == "com.example.slipcast")
  }
}
