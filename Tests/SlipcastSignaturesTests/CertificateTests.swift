import SlipcastSignatures
import Testing

@Suite struct CertificateTests {
  /// Fingerprints as Apple publishes them on its page of certificate authorities.
  @Test(
    arguments: zip(
      ["Apple Root CA", "Apple Root CA - G2", "Apple Root CA - G3"],
      [
        "B0B1730ECBC7FF4505142C49F1295E6EDA6BCAED7E2C68C5BE91B5A11001F024",
        "C2B9B042DD57830E7D117DAC55AC8AE19407D38E41D88F3215BC3A890444A050",
        "63343ABFB89A6A03EBB57E9B3F5FA7BE7C4F5C756F3017B3A8C488C3653E9179",
      ]))
  func theRootsAreApplesOwn(_ name: String, _ fingerprint: String) throws {
    let root = try #require(TrustAnchors.apple.roots.first { $0.commonName == name })
    #expect(root.sha256 == fingerprint)
    #expect(root.subject == root.issuer)
  }
}
