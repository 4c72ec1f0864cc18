internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// Certificates as a JSON array.
enum CertificateText {
  static func write(_ certificates: [Certificate], to writer: JSONWriter) {
    writer.byte(UInt8(ascii: "["))
    for certificate in certificates {
      writer.comma()
      writer.byte(UInt8(ascii: "{"))
      writer.member("subject", certificate.subject)
      writer.member("issuer", certificate.issuer)
      writer.member("serialNumber", certificate.serialNumber)
      writer.member("notBefore", certificate.notBefore.description)
      writer.member("notAfter", certificate.notAfter.description)
      writer.member("sha256", certificate.sha256)
      writer.key("markers")
      writer.byte(UInt8(ascii: "["))
      for marker in certificate.markers {
        writer.comma()
        writer.text(marker)
      }
      writer.raw("]}")
    }
    writer.byte(UInt8(ascii: "]"))
  }
}
