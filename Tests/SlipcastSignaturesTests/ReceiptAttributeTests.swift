import SlipcastSignatures
import SlipcastTestSupport
import Testing

@Suite struct ReceiptAttributeTests {
  typealias Bytes = ReceiptBytes

  static func refusal(_ content: [UInt8]) -> Refusal? {
    do throws(Refusal) {
      _ = try ReceiptAttribute.all(in: content)
      return nil
    } catch {
      return error
    }
  }

  /// A SET of one SEQUENCE with that content.
  static func sequence(_ content: [UInt8]) -> [UInt8] { Bytes.element(0x31, Bytes.element(0x30, content)) }

  @Test func attributesKeepTheirOrderVersionsAndBytes() throws {
    let content = Bytes.set([
      Bytes.attribute(9999, [0, 1, 2]), Bytes.attribute(4, [7], version: 2), Bytes.attribute(2, Bytes.utf8("x")),
      Bytes.attribute(4711, []), Bytes.attribute(2, Bytes.utf8("y")),
    ])
    let attributes = try ReceiptAttribute.all(in: content)
    #expect(attributes.map(\.type) == [9999, 4, 2, 4711, 2])
    #expect(attributes.map(\.version) == [1, 2, 1, 1, 1])
    #expect(attributes.map(\.value) == [[0, 1, 2], [7], [0x0C, 1, 0x78], [], [0x0C, 1, 0x79]])
    #expect(try ReceiptAttribute.all(in: [0x31, 0]) == [])
  }

  @Test func theSetMayStandInOneMoreOctetStringInOnePieceOrInParts() throws {
    let set = Bytes.set([Bytes.attribute(3, Bytes.utf8("1"))])
    let expected = try ReceiptAttribute.all(in: set)
    let parts = Bytes.octets(Array(set.prefix(5))) + Bytes.octets([]) + Bytes.octets(Array(set.dropFirst(5)))
    for content in [Bytes.octets(set), Bytes.element(0x24, parts), [0x24, 0x80] + parts + [0, 0]] {
      #expect(try ReceiptAttribute.all(in: content) == expected)
    }
    #expect(Self.refusal(Bytes.octets(Bytes.octets(set))) != nil)
  }

  @Test func aValueMayComeInParts() throws {
    let parts = Bytes.octets([1, 2]) + Bytes.octets([3])
    for value in [Bytes.element(0x24, parts), [0x24, 0x80] + parts + [0, 0]] {
      let content = Self.sequence(Bytes.integer(3) + Bytes.integer(1) + value)
      #expect(try ReceiptAttribute.all(in: content).map(\.value) == [[1, 2, 3]])
    }
  }

  @Test(
    arguments: [
      ([0x02, 0x03, 0x00, 0x00, 0x11], 17), ([0x02, 0x08, 0, 0, 0, 0, 0, 0, 0, 0x11], 17),
      ([0x02, 0x01, 0xFF], -1), ([0x02, 0x08, 0x80, 0, 0, 0, 0, 0, 0, 0], Int64.min), ([0x02, 0x81, 0x01, 0x05], 5),
    ] as [([UInt8], Int64)])
  func aTypeMayBeLongerThanItMust(_ type: [UInt8], _ number: Int64) throws {
    let content = Self.sequence(type + Bytes.integer(1) + Bytes.octets([]))
    #expect(try ReceiptAttribute.all(in: content).map(\.type) == [number])
  }

  static let one = Bytes.integer(1)

  @Test(
    arguments: [
      ("no bytes", [], 0, "a SET of attributes"), ("one byte", [0x31], 0, "a value of definite length"),
      ("another type", Bytes.utf8("x"), 0, "a SET of attributes"),
      ("a sequence", [0x30, 0x00], 0, "a SET of attributes"),
      ("a primitive set", [0x11, 0x00], 0, "a SET of attributes"),
      ("bytes behind the set", Bytes.set([]) + [0], 2, "the end of the attributes"),
      ("bytes behind the octet string", Bytes.octets(Bytes.set([])) + [0], 4, "the end of the attributes"),
      ("bytes behind the set inside", Bytes.octets(Bytes.set([]) + [0]), 2, "the end of the attributes"),
      ("a length beyond the end", [0x31, 0x05, 0x30, 0x00], 0, "a value of definite length"),
      ("a length of eight bytes", [0x31, 0x88] + [UInt8](repeating: 0xFF, count: 8), 0, "a value of definite length"),
      ("a length of 4 GiB", [0x31, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0], 0, "a value of definite length"),
      ("a length of 127 bytes", [0x31, 0xFF] + [UInt8](repeating: 1, count: 127), 0, "a value of definite length"),
      ("an indefinite set", [0x31, 0x80, 0, 0], 0, "a value of definite length"),
      ("an indefinite primitive", [0x04, 0x80, 0, 0], 0, "a value of definite length"),
      ("no sequence", Bytes.element(0x31, one), 2, "an attribute, a SEQUENCE"),
      ("an end mark in the set", Bytes.element(0x31, [0, 0]), 2, "an attribute, a SEQUENCE"),
      ("an empty sequence", sequence([]), 4, "the type"), ("one element", sequence(one), 7, "the version"),
      ("two elements", sequence(one + one), 10, "the value of an attribute"),
      ("four elements", sequence(one + one + Bytes.octets([]) + one), 12, "the end of the attribute"),
      (
        "a type that is not a number", sequence(Bytes.utf8("x") + one + Bytes.octets([])), 4, "the type of an attribute"
      ),
      ("a type of nine bytes", sequence(Bytes.element(2, [UInt8](repeating: 1, count: 9)) + one), 4, "at most 8 bytes"),
      ("a type of no bytes", sequence([2, 0] + one + Bytes.octets([])), 4, "the type of an attribute"),
      ("a version that is not a number", sequence(one + Bytes.octets([]) + Bytes.octets([])), 7, "the version"),
      ("a value that is not an octet string", sequence(one + one + Bytes.utf8("x")), 10, "an OCTET STRING"),
      ("an invalid part", sequence(one + one + Bytes.element(0x24, Bytes.utf8("x"))), 12, "a part"),
      ("parts in parts", sequence(one + one + Bytes.element(0x24, Bytes.element(0x24, []))), 12, "a part"),
      ("parts without an end", sequence(one + one + [0x24, 0x80] + Bytes.octets([1])), 15, "a part"),
    ] as [(String, [UInt8], Int, String)])
  func refusesWithByteAndExpectation(_ what: String, _ content: [UInt8], _ offset: Int, _ words: String) {
    let refusal = Self.refusal(content)
    #expect(refusal?.reason == .receiptMalformed, "\(what)")
    #expect(refusal?.detail?.hasPrefix("byte \(offset): expected ") == true, "\(what): \(refusal?.detail ?? "none")")
    #expect(refusal?.detail?.contains(words) == true, "\(what): \(refusal?.detail ?? "none")")
  }

  @Test func deepNestingIsRefusedAtItsSecondLevel() {
    #expect(Self.refusal([UInt8](repeating: 0x24, count: 2) + [UInt8](repeating: 0x80, count: 200_000)) != nil)
    #expect(Self.refusal((0..<50_000).flatMap { _ in [0x31, 0x80] as [UInt8] }) != nil)
    let nested = (0..<5000).reduce([0x31, 0] as [UInt8]) { inner, _ in Bytes.element(0x31, inner) }
    #expect(Self.refusal(nested) != nil)
  }

  @Test(
    arguments: [
      (Bytes.utf8("café"), "café"), (Bytes.ia5("4+"), "4+"), (Bytes.utf8(""), ""), ([0x0C, 2, 0x61, 0], nil),
      ([0x0C, 1, 0xFF], nil), ([0x16, 2, 0xC3, 0xA9], nil), ([0x16, 1, 0], nil), (Bytes.integer(5), nil),
      (Bytes.utf8("x") + [0], nil), ([0x0C], nil), ([], nil), ([1, 2, 3], nil), ([0x2C, 3, 0x0C, 1, 0x61], nil),
    ] as [([UInt8], String?)])
  func aTextIsReadOnlyWhenItIsWholeAndOfItsAlphabet(_ value: [UInt8], _ text: String?) throws {
    let attributes = try ReceiptAttribute.all(in: Bytes.set([Bytes.attribute(2, value)]))
    #expect(attributes.first?.decoded?.text == text)
  }

  @Test(
    arguments: [
      (Bytes.integer(0), 0), (Bytes.integer(Int64.max), Int64.max), (Bytes.integer(-1), -1),
      (Bytes.integer(9_007_199_254_740_995), 9_007_199_254_740_995), ([2, 2, 0, 5], 5), ([2, 0], nil),
      ([2, 9, 0, 0x80, 0, 0, 0, 0, 0, 0, 0], nil), (Bytes.integer(5) + [0], nil), ([0x22, 3, 2, 1, 5], nil),
    ] as [([UInt8], Int64?)])
  func aNumberIsReadUpToEightBytes(_ value: [UInt8], _ number: Int64?) throws {
    let decoded = try ReceiptAttribute.all(in: Bytes.set([Bytes.attribute(1, value)])).first?.decoded
    #expect(decoded == number.map(ReceiptAttribute.Decoded.integer))
  }

  @Test func everyPrefixAndEveryMutationEndsInAttributesOrARefusal() {
    let content = Bytes.receipt(adding: [Bytes.purchase(), Bytes.attribute(9999, [0, 1])])
    for count in 0..<content.count { #expect(Self.refusal(Array(content.prefix(count))) != nil) }
    var random = SeededGenerator(seed: 17)
    for _ in 0..<20_000 {
      let attributes = (try? ReceiptAttribute.all(in: random.mutated(content))) ?? []
      for attribute in attributes {
        _ = attribute.decoded?.text
        _ = try? ReceiptAttribute.all(in: Array(attribute.value))
      }
    }
  }
}

extension ReceiptAttribute {
  fileprivate static func all(in content: [UInt8]) throws(Refusal) -> [ReceiptAttribute] {
    var attributes: [ReceiptAttribute] = []
    try forEach(in: content[...]) { attribute throws(Refusal) in attributes.append(attribute) }
    return attributes
  }
}
