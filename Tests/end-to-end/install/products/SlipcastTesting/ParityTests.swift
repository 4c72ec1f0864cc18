// Prints: Test run with 1 test in 0 suites passed

import SlipcastTesting
import Testing

@Test func theArchiveAndTheServerAgree() {
  expectParity(legacy: .file("v1.json"), server: .file("v2.json"))
}
