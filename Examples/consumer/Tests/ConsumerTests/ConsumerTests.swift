import SlipcastTesting
import Testing

/// What a service that uses Slipcast would test: its archive and Apple's server tell the same event.
@Suite struct ConsumerTests {
  @Test func theArchiveAndTheServerAgree() {
    expectParity(legacy: .file("../../Records/v1.json"), server: .file("../../Records/v2.json"))
  }
}
