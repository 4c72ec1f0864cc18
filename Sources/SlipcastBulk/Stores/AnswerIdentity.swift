internal import SlipcastDigest

/// The id of a line that is not an event: a history or statuses.
///
/// The same line twice is the same answer: the id is a UUIDv5 of the line in its own namespace. Use it on one thread
/// only.
package final class AnswerIdentity {
  // b0e9f4a2-6c1d-4f3e-8a57-2d9c4b7e1f60, made for this and used only here.
  private let maker = SHA1UUID(namespace: [
    0xB0, 0xE9, 0xF4, 0xA2, 0x6C, 0x1D, 0x4F, 0x3E, 0x8A, 0x57, 0x2D, 0x9C, 0x4B, 0x7E, 0x1F, 0x60,
  ])

  package init() {}

  /// The id of a line, its line feed left out.
  package func id(of line: Span<UInt8>) -> KnownIDs.ID {
    let (high, low) = maker.bytes(of: line)
    return KnownIDs.ID(high: high, low: low)
  }
}
