import Testing

@testable import SlipcastHTTP

/// Which clients `--allow` accepts.
@Suite struct AddressRangeTests {
  @Test(arguments: [
    ("17.0.0.0/8", "17.255.1.2", true), ("17.0.0.0/8", "18.0.0.1", false), ("17.0.0.0/8", "::ffff:17.1.2.3", true),
    ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.1.2.4", false), ("10.1.2.0/23", "10.1.3.255", true),
    ("10.1.2.0/23", "10.1.4.0", false), ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
    ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false), ("::1", "::1", true),
    ("::ffff:17.0.0.0/104", "17.1.2.3", true), ("::ffff:17.0.0.0/104", "18.1.2.3", false),
    ("17.0.0.0/8", "", false), ("17.0.0.0/8", "seventeen", false),
  ])
  func aRangeHoldsItsAddresses(_ range: String, _ address: String, _ holds: Bool) throws {
    #expect(try #require(AddressRange(range)).contains(address) == holds)
  }

  @Test(arguments: [
    "", "/8", "17.0.0.0/33", "17.0.0.0/-1", "17.0.0.0/x", "17.0.0/8", "::/129", "::ffff:17.0.0.0/8", "example.com",
  ])
  func anythingElseIsNoRange(_ text: String) { #expect(AddressRange(text) == nil) }
}
