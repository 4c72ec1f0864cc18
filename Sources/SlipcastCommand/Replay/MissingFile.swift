import SlipcastBulk
import SlipcastServer
@_spi(Slipcast) import SlipcastWire

/// The file of `--missing`.
struct MissingFile {
  private let file: any LineOutput

  init(_ path: String) throws { file = path == "-" ? StreamOutput() : try FileOutput(path) }

  func write(_ reject: Reject) throws {
    try write(source: reject.source, record: reject.record, status: nil, attempts: 0, message: reject.message)
  }

  func finish(_ result: ReplayResult, _ spool: ReplaySpool) throws {
    for record in result.missing.sorted(by: { $0.index < $1.index }) {
      let origin = spool.origin(record.index)
      try write(
        source: origin.source, record: origin.record, status: record.status, attempts: record.attempts,
        message: record.message)
    }
    try finish()
  }

  private func write(source: String, record: Int, status: Int?, attempts: Int, message: String) throws {
    let line = JSONWriter.line(capacity: 256) { writer in
      writer.member("source", source)
      writer.member("record", record)
      writer.key("status")
      writer.raw(status.map { "\($0)" } ?? "null")
      writer.member("attempts", attempts)
      writer.member("message", message)
    }
    try file.write(line.bytes.span, part: .whole)
  }

  func finish() throws { try file.finish() }
}
