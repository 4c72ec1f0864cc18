internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// Certificates as the member `certificates`.
enum CertificateText {
  static func write(_ certificates: [Certificate], to writer: JSONWriter) {
    writer.list("certificates", certificates) { certificate in
      writer.member("subject", certificate.subject)
      writer.member("issuer", certificate.issuer)
      writer.member("serialNumber", certificate.serialNumber)
      writer.member("notBefore", certificate.notBefore.description)
      writer.member("notAfter", certificate.notAfter.description)
      writer.member("sha256", certificate.sha256)
      writer.member("markers", certificate.markers)
    }
  }
}
