import SlipcastSystem
internal import SlipcastWire

/// The text of a source in UTF-16, as UTF-8.
final class UTF16Bytes: ByteStream {
  private let stream: any ByteStream
  private let path: String
  private var decoder: UTF16Decoder
  private var piece: [UInt8] = []
  /// What was decoded and not read.
  private var (ready, at): ([UInt8], Int) = ([], 0)
  private var isAtEnd = false
  private static let size = 64 << 10

  init(_ stream: any ByteStream, _ decoder: UTF16Decoder, path: String) {
    (self.stream, self.decoder, self.path) = (stream, decoder, path)
  }

  var rawOffset: Int { stream.rawOffset }

  func read(into room: inout OutputSpan<UInt8>) throws(FileError) -> Int {
    while at == ready.count, !isAtEnd { try readMore() }
    let text = ready
    let part = min(room.freeCapacity, text.count - at)
    room.append(copying: text.span.extracting(at..<at + part))
    at += part
    return part
  }

  private func readMore() throws(FileError) {
    (at, isAtEnd) = (0, false)
    ready.removeAll(keepingCapacity: true)
    piece.removeAll(keepingCapacity: true)
    isAtEnd = try piece.append(Self.size, from: stream) == 0
    do throws(UTF16Decoder.Fault) {
      let bytes = piece
      if isAtEnd { try decoder.finish() } else { try decoder.decode(bytes.span, into: &ready) }
    } catch {
      throw FileError(
        path: path, doing: "decode", reason: "the text in UTF-16 is damaged at byte \(error.offset)")
    }
  }
}
