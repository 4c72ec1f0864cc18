import SlipcastTesting
import Testing

/// A typical test of a service that uses Slipcast: its archive agrees with Apple's server.
@Suite struct ConsumerTests {
  @Test func theArchiveAndTheServerAgree() {
    expectParity(legacy: .file("../../Records/v1.json"), server: .file("../../Records/v2.json"))
  }
}
