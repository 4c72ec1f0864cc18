import Foundation
import SlipcastWire
import Testing

@testable import SlipcastSignatures

@Suite struct TestIdentityTests {
  @Test func theChainHasApplesShape() throws {
    let identity = try TestIdentity.make()
    let (leaf, intermediate, root) = (identity.certificates[0], identity.certificates[1], identity.certificates[2])
    #expect(identity.certificates.count == 3)
    #expect(leaf.issuer == intermediate.subject)
    #expect(intermediate.issuer == root.subject)
    #expect(root.issuer == root.subject)
    #expect(leaf.markers == ["1.2.840.113635.100.6.11.1"])
    #expect(intermediate.markers == ["1.2.840.113635.100.6.2.1"])
    #expect(root.markers.isEmpty)
    #expect(identity.certificates.map(\.isAuthority) == [false, true, true])
    #expect(leaf.isForSignatures && !intermediate.isForSignatures)
    for certificate in identity.certificates {
      #expect(certificate.subject.contains("Slipcast Test"))
      #expect(certificate.serialNumber.count == 32)
      #expect(certificate.notBefore < Timestamp(milliseconds: 1_215_648_000_000), "the App Store's first day")
      #expect(certificate.notAfter > Timestamp(milliseconds: 2_500_000_000_000))
    }
  }

  @Test func twoIdentitiesShareNothingButTheirNames() throws {
    let (one, other) = (try TestIdentity.make(), try TestIdentity.make())
    #expect(one.root.subject == other.root.subject)
    #expect(Set(one.certificates.map(\.serialNumber)).isDisjoint(with: other.certificates.map(\.serialNumber)))
    #expect(!other.certificates[0].isSigned(by: one.certificates[1]))
    #expect(!other.certificates[0].belongs(to: one.key))
  }

  @Test(.enabled(if: OpenSSLProgram.isThere))
  func itPassesTheStrictRulesOfX509() throws {
    let folder = try ScratchFolder()
    try TestIdentity.create(in: folder.path("identity"))
    let root = folder.path("identity/root.pem")
    let words = ["-x509_strict", "-CAfile", root, "-untrusted", folder.path("identity/chain.pem")]
    for time in ["1215648000", "1700000000", "2524600000"] {
      let run = try OpenSSLProgram.run(
        ["verify", "-attime", time] + words + ["-show_chain", folder.path("identity/chain.pem")])
      #expect(run.status == 0, "\(run.output)")
      #expect(run.output.contains("depth=2"))
    }
    let expired = try OpenSSLProgram.run(
      ["verify", "-attime", "2524700000"] + words + [folder.path("identity/chain.pem")])
    #expect(expired.status != 0)
  }

  @Test(.enabled(if: OpenSSLProgram.isThere))
  func algorithmsAndExtensionsAreApples() throws {
    let folder = try ScratchFolder()
    let identity = try TestIdentity.make()
    let expectations: [[String]] = [
      ["ASN1 OID: prime256v1", "Digital Signature", "CA:FALSE", "Subject Key Identifier", "Authority Key Identifier"],
      ["ASN1 OID: secp384r1", "Certificate Sign, CRL Sign", "CA:TRUE, pathlen:0", "Authority Key Identifier"],
      ["ASN1 OID: secp384r1", "Certificate Sign, CRL Sign", "CA:TRUE", "Authority Key Identifier"],
    ]
    for (certificate, words) in zip(identity.certificates, expectations) {
      try folder.write(certificate.der, "one.der")
      let text = try OpenSSLProgram.run(
        ["x509", "-inform", "DER", "-in", folder.path("one.der"), "-noout", "-text"]
      ).output
      for word in words + ["Signature Algorithm: ecdsa-with-SHA384", "X509v3 Basic Constraints: critical"] {
        #expect(text.contains(word), "\(word) in \(text)")
      }
    }
  }

  @Test func theMarksHoldAnASN1Null() throws {
    let identity = try TestIdentity.make()
    // OBJECT IDENTIFIER, then OCTET STRING of two bytes: NULL. No BOOLEAN between them: not critical.
    let leaf: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x0B, 0x01, 0x04, 0x02, 0x05, 0x00]
    let intermediate: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x02, 0x01, 0x04, 0x02, 0x05, 0x00]
    #expect(identity.certificates[0].der.firstRange(of: leaf) != nil)
    #expect(identity.certificates[1].der.firstRange(of: intermediate) != nil)
  }
}

@Suite struct TestIdentityFileTests {
  @Test func aFolderHoldsRootChainAndKey() throws {
    let folder = try ScratchFolder()
    let made = try TestIdentity.create(in: folder.path("deep/er/identity"))
    #expect(try folder.names("deep/er/identity") == ["chain.pem", "leaf.key", "root.der", "root.pem"])
    #expect(try folder.bytes("deep/er/identity/root.der") == made.root.der)
    let chain = try TrustAnchors.certificates(in: folder.bytes("deep/er/identity/chain.pem"))
    #expect(chain == made.certificates)
    #expect(try TrustAnchors.certificates(in: folder.bytes("deep/er/identity/root.pem")) == [made.root])
    let key = String(decoding: try folder.bytes("deep/er/identity/leaf.key"), as: UTF8.self)
    #expect(key.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
  }

  @Test func onlyTheOwnerReadsTheKey() throws {
    let folder = try ScratchFolder()
    try TestIdentity.create(in: folder.path("identity"))
    #expect(try folder.mode("identity/leaf.key") == 0o600)
    #expect(try !TestIdentity(directory: folder.path("identity")).isKeyReadableByOthers)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: folder.path("identity/leaf.key"))
    #expect(try TestIdentity(directory: folder.path("identity")).isKeyReadableByOthers)
  }

  @Test func whatWasWrittenIsReadBack() throws {
    let folder = try ScratchFolder()
    let made = try TestIdentity.create(in: folder.path("identity"))
    let read = try TestIdentity(directory: folder.path("identity"))
    #expect(read.certificates == made.certificates)
    #expect(read.certificates[0].belongs(to: read.key))
  }

  @Test(arguments: ["root.der", "root.pem", "chain.pem", "leaf.key"])
  func nothingIsOverwrittenAndThenNothingIsWritten(_ name: String) throws {
    let folder = try ScratchFolder()
    try folder.write("mine".utf8, name)
    let error = #expect(throws: IdentityError.self) { try TestIdentity.create(in: folder.path) }
    #expect(error?.reason == .exists)
    #expect(error?.path == folder.path(name))
    #expect(try folder.names("") == [name])
    #expect(try folder.bytes(name) == Array("mine".utf8))
  }

  @Test func aDanglingLinkIsNotFollowed() throws {
    let folder = try ScratchFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("leaf.key"), withDestinationPath: folder.path("elsewhere"))
    #expect(throws: IdentityError.self) { try TestIdentity.create(in: folder.path) }
    #expect(try folder.names("") == ["leaf.key"])
  }

  @Test func aFolderThatCannotBeMadeLeavesNothing() throws {
    let folder = try ScratchFolder()
    try folder.write("a file".utf8, "file")
    for path in [folder.path("file"), folder.path("file/identity"), ""] {
      #expect(throws: IdentityError.self) { try TestIdentity.create(in: path) }
    }
    #expect(try folder.names("") == ["file"])
  }

  @Test func aFailureHalfWayTakesBackWhatWasWritten() throws {
    let folder = try ScratchFolder()
    let files = [
      IdentityFile(name: "one", bytes: [1]), IdentityFile(name: "no/such/folder", bytes: [2]),
    ]
    #expect(throws: IdentityError.self) { try IdentityFolder(path: folder.path("new/identity")).create(files) }
    #expect(try folder.names("").isEmpty)
  }

  // MARK: what does not fit together

  private func reason(_ change: (ScratchFolder) throws -> Void) throws -> IdentityError.Reason? {
    let folder = try ScratchFolder()
    try TestIdentity.create(in: folder.path("identity"))
    try change(folder)
    let error = #expect(throws: IdentityError.self) { try TestIdentity(directory: folder.path("identity")) }
    #expect(error?.path.hasPrefix(folder.path("identity/")) == true)
    #expect(error?.description.isEmpty == false)
    return error?.reason
  }

  @Test func aMissingFileIsNamed() throws {
    for name in ["chain.pem", "leaf.key"] {
      let reason = try reason { try FileManager.default.removeItem(atPath: $0.path("identity/\(name)")) }
      #expect(reason == .system(action: "open", number: 2))
    }
  }

  @Test func aStrangersKeyIsRefused() throws {
    let stranger = try TestIdentity.make()
    #expect(try reason { try $0.write(stranger.key.pem(), "identity/leaf.key") } == .keyMismatch)
  }

  @Test func aKeyOnAnotherCurveIsRefused() throws {
    let key = try PrivateKey.make(curve: "P-384")
    let reason = try reason { try $0.write(key.pem(), "identity/leaf.key") }
    #expect(reason == .keyType(found: "secp384r1"))
  }

  @Test func textThatIsNoKeyIsRefused() throws {
    for text in ["", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
      guard case .keyUnreadable = try reason({ try $0.write(text.utf8, "identity/leaf.key") }) else {
        Issue.record("another reason for \(text)")
        continue
      }
    }
  }

  @Test(.enabled(if: OpenSSLProgram.isThere))
  func anEncryptedKeyIsRefusedWithoutAQuestion() throws {
    let reason = try reason { folder in
      let run = try OpenSSLProgram.run([
        "pkcs8", "-topk8", "-in", folder.path("identity/leaf.key"), "-out", folder.path("encrypted"), "-passout",
        "pass:secret",
      ])
      #expect(run.status == 0, "\(run.output)")
      try folder.write(folder.bytes("encrypted"), "identity/leaf.key")
    }
    guard case .keyUnreadable = reason else {
      Issue.record("another reason")
      return
    }
  }

  @Test func theChainHasThreeCertificatesInTheirOrder() throws {
    let two = try reason { folder in
      let chain = try TrustAnchors.certificates(in: folder.bytes("identity/chain.pem"))
      try folder.write(chain[0].pem() + chain[1].pem(), "identity/chain.pem")
    }
    #expect(two == .chainLength(found: 2))
    let swapped = try reason { folder in
      let chain = try TrustAnchors.certificates(in: folder.bytes("identity/chain.pem"))
      try folder.write(chain[0].pem() + chain[2].pem() + chain[1].pem(), "identity/chain.pem")
    }
    #expect(swapped == .chainBroken(place: 0))
    guard case .chainUnreadable = try reason({ try $0.write("no PEM".utf8, "identity/chain.pem") }) else {
      Issue.record("another reason")
      return
    }
    #expect(try reason { try $0.write(repeatElement(10, count: 2 << 20), "identity/chain.pem") } == .tooLarge)
  }
}
