import SlipcastHTTP
import Testing

@testable import SlipcastPages

/// Who may see pages.
@Suite struct AccessTests {
  @Test(arguments: [
    ("127.0.0.1:8090", "127.0.0.1", true), ("127.0.0.1:8090", "localhost:9", true), ("127.0.0.1:8090", "[::1]:1", true),
    ("127.0.0.1:8090", "127.4.5.6", true), ("127.0.0.1:8090", "10.0.0.1", false),
    ("127.0.0.1:8090", "evil.example", false),
    ("127.0.0.1:8090", "127.0.0.1.evil.example", false), ("127.0.0.1:8090", "localhost.", false),
    ("127.0.0.1:8090", "", false), ("127.0.0.1:8090", "localhost:", false),
    ("127.0.0.1:8090", "localhost:99999999", false),
    ("127.0.0.1:8090", "[::1", false), ("127.0.0.1:8090", "a b", false), ("127.0.0.1:8090", "127.0.0.1/8", false),
    ("support.example:8090", "support.example", true), ("support.example:8090", "SUPPORT.example:1", true),
    ("support.example:8090", "10.0.0.1:8090", true), ("support.example:8090", "other.example", false),
    ("support.example:8090", "localhost", false), ("0.0.0.0:8090", "[2001:db8::1]:8090", true),
    ("[::1]:8090", "localhost", true), ("0.0.0.0:8090", "evil.example", false),
  ]) func onlyOwnNamesAreHosts(listen: String, host: String, isAccepted: Bool) {
    #expect(HostCheck(listen: listen).accepts(host) == isAccepted)
  }

  @Test(arguments: [
    ("127.0.0.1:1", true), ("localhost:1", true), ("[::1]:1", true), ("0.0.0.0:1", false), ("[::]:1", false),
    ("support.example:1", false), ("10.1.2.3:1", false),
  ]) func loopbackIsTold(listen: String, isLoopback: Bool) {
    #expect(HostCheck(listen: listen).isLoopback == isLoopback)
  }

  private func head(_ fill: (inout RequestHead) -> Void) -> RequestHead {
    var head = RequestHead(method: "GET", path: "/", client: "127.0.0.1")
    fill(&head)
    return head
  }

  @Test func aTokenComesAsBearerOrAsCookie() {
    let check = TokenCheck(Array("a long secret text".utf8))
    #expect(check.admits(head { $0.authorization = "Bearer a long secret text" }))
    #expect(check.admits(head { $0.authorization = "bEARER a long secret text" }))
    let cookie = String(check.setCookie.value.prefix { $0 != ";" })
    #expect(check.admits(head { $0.cookie = "other=1; \(cookie)" }))
    #expect(!cookie.contains("secret"))
    #expect(check.isToken("a long secret text"))
  }

  @Test(arguments: ["Bearer", "Bearer ", "Bearer a long secret", "Basic a long secret text", "", "a long secret text"])
  func anythingElseIsNoToken(words: String) {
    #expect(!TokenCheck(Array("a long secret text".utf8)).admits(head { $0.authorization = words }))
  }

  @Test(arguments: [
    "slipcast-ui=", "slipcast-ui=a long secret text", "slipcast-ui", "x=\(String(repeating: "0", count: 64))", ";;=",
  ])
  func anythingElseIsNoCookie(words: String) {
    #expect(!TokenCheck(Array("a long secret text".utf8)).admits(head { $0.cookie = words }))
  }
}
