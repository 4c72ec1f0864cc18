/// The hash that binds an app receipt to its device.
///
/// Source: Apple, "Validating receipts on the device".
package enum DeviceHash {
  /// SHA-1 over the device's id, the opaque value and the bundle id as it is in the receipt, ASN.1 header included.
  package static func of(device: [UInt8], opaque: [UInt8], bundle: [UInt8]) -> [UInt8] {
    Digest.sha1(device + opaque + bundle)
  }
}
