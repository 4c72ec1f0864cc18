import CSlipcastBench
import SlipcastSystem
@_spi(Slipcast) import SlipcastWire

struct Input {
  let text: JSONBuffer
  let records: [Range<Int>]

  var count: Int { text.count }

  /// Reads the file whole.
  ///
  /// - Throws: `FileError` when it cannot be read.
  init(_ file: TemporaryFile) throws {
    precondition(JSONReader.padding >= Int(SLIPCAST_BENCH_PADDING), "simdjson reads beyond the text")
    text = JSONBuffer(try Platform.contents(of: file.path, limit: .max))
    var records: [Range<Int>] = []
    var start = 0
    for (place, byte) in text.bytes.enumerated() where byte == 0x0A {
      records.append(start..<place)
      start = place + 1
    }
    self.records = records
  }
}
