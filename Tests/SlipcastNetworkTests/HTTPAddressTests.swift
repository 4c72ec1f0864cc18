import Testing

@testable import SlipcastNetwork

/// Addresses are printed without what may be secret in them, and texts whose parts are unclear are none.
@Suite struct HTTPAddressTests {
  @Test(arguments: [
    ("http://a.example/x", "http://a.example/x"), ("https://a.example:8443", "https://a.example:8443"),
    ("http://u:HUNTER2@a.example/x?token=HUNTER2#HUNTER2", "http://a.example/x"),
    ("http://HUNTER2@[::1]:80/x", "http://[::1]:80/x"), ("http://u:HUN%2FTER2@a.example", "http://a.example"),
    ("http://u:HUN@TER2@a.example/x", "http://a.example/x"), ("http://u:HUN:TER2@a.example?x", "http://a.example"),
    ("http://münchen.example/x", "http://münchen.example/x"),
  ])
  func anAddressIsPrintedWithoutItsSecrets(_ text: String, _ shown: String) throws {
    let address = try #require(HTTPAddress(text))
    #expect(address.secretText == text)
    #expect("\(address)" == shown && String(reflecting: address) == shown && String(describing: address) == shown)
    var dumped = ""
    dump(address, to: &dumped)
    #expect(!dumped.contains("HUN"))
  }

  /// A sign that is not escaped would make a part of the password a host, a port, a path or a query.
  @Test(arguments: [
    "http://u:HUN/TER2@127.0.0.1:9/", "http://u:12/TER2@127.0.0.1:9/", "http://u:12?TER2@127.0.0.1/",
    "http://u:HUN?TER2@127.0.0.1/", "http://u:12#TER2@127.0.0.1/", "http://u:12\\TER2@127.0.0.1/",
    "http://u:a@HUN/TER2@127.0.0.1/", "http://u:HUNTER2", "http://u:HUNTER2/x", "http://:HUNTER2@/x", "http:///x",
    "http:/u:HUNTER2@127.0.0.1/", "http:u:HUNTER2@127.0.0.1", "u:HUNTER2@127.0.0.1", "ftp://u:HUNTER2@a/", "http://",
    "HTTP://u:HUNTER2@a/", "http://u:HUN TER2@a/", "http://u:HUN\u{7F}TER2@a/", "http://a:123456/", "http://[::1/",
    "http://u:HUN[TER2", "",
  ])
  func aTextWithUnclearPartsIsNoAddress(_ text: String) {
    #expect(HTTPAddress(text) == nil)
    #expect(!HTTPAddress.shown(text).contains("HUN") && !HTTPAddress.shown(text).contains("TER2"))
  }
}
