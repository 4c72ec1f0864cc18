import SlipcastMapping
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// What came of a run.
struct Run {
  var sink: MemorySink
  var end: RunEnd
  var counts: RunCounts

  var rejects: [Reject] { sink.rejects }
  var lines: [String] { sink.lines }
  var provenance: [String] { sink.provenanceLines }
  /// The transaction of every converted record, in order: the number that `Sample` gave it.
  var numbers: [Int] {
    lines.map { line in
      guard let start = line.firstRange(of: #""transactionId":""#) else { return -1 }
      return Int(line[start.upperBound...].prefix { $0 != "\"" }) ?? -1
    }
  }
  /// The rejects as the file of `--rejects` would hold them.
  var rejectFile: String { sink.rejectLines.joined() }
  /// The rejects as the file of `--rejects-raw` would hold them, but for header rows.
  var rawFile: [UInt8] { Array(rejects.compactMap(\.raw?.record).joined(separator: "\n".utf8)) }
  /// Where the rejects are: `record@offset:line code path`.
  var places: [String] { rejects.map { "\($0.record)@\($0.fault):\($0.line) \($0.code) \($0.path)" } }
}

extension Reject {
  /// Bytes before the fault in the source.
  var fault: Int { faultOffset ?? offset }
  /// The record as its source has it.
  var text: [UInt8] { raw?.record ?? [] }
}

enum Runs {
  static let rules = BuiltIn.rules

  /// Converts files; keeps rejects and provenance by default.
  static func convert(
    files: [String], _ set: (inout ConvertOptions) -> Void = { _ in }
  ) async throws -> Run {
    var options = ConvertOptions()
    (options.keepsRejects, options.keepsRawRejects) = (true, true)
    options.keepsProvenance = true
    set(&options)
    var sink = MemorySink()
    let run = ConvertRun(rules: rules, options: options)
    let (end, counts) = try await run.convert(files.map(InputFile.init(path:)), to: &sink)
    return Run(sink: sink, end: end, counts: counts)
  }

  /// Converts one text, and expects what holds of every run: the counts add up and nothing shows the secret.
  ///
  /// A secret whose key is spoiled can only be kept out of outputs, not out of the text of a reject.
  static func convert(
    _ bytes: [UInt8], maySpoilKeys: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
    _ set: (inout ConvertOptions) -> Void = { _ in }
  ) async throws -> Run {
    var result: Run?
    try await Temporary.file(bytes) { result = try await convert(files: [$0], set) }
    let run = try #require(result, sourceLocation: sourceLocation)
    #expect(run.counts.read == run.counts.converted + run.counts.rejected, sourceLocation: sourceLocation)
    #expect(run.counts.converted == run.lines.count, sourceLocation: sourceLocation)
    #expect(run.counts.rejected == run.rejects.count, sourceLocation: sourceLocation)
    let rejects = maySpoilKeys ? run.rejects.map(\.description).joined() : run.rejectFile
    let said = String(decoding: run.sink.output + run.sink.provenance, as: UTF8.self) + rejects
    #expect(!said.contains(Sample.secret), sourceLocation: sourceLocation)
    return run
  }

  static func convert(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ set: (inout ConvertOptions) -> Void = { _ in }
  ) async throws -> Run {
    try await convert(Array(text.utf8), sourceLocation: sourceLocation, set)
  }
}

/// Records whose transaction id is a number.
enum Sample {
  static let secret = "SECRET-SLIPCAST-0123456789abcdef"

  /// A notification on one line, with some bytes more under an unknown key.
  static func line(_ number: Int, filler: Int = 0) -> String {
    #"{"notification_type":"DID_RENEW","password":"\#(secret)","environment":"PROD","auto_renew_status":"true","#
      + #""unified_receipt":{"status":0,"environment":"Production","latest_receipt_info":[{"quantity":"1","#
      + #""product_id":"com.example.monthly","transaction_id":"\#(number)","original_transaction_id":"730001","#
      + #""purchase_date_ms":"1679333400000","expires_date_ms":"1682011800000","is_trial_period":"false"}],"#
      + #""pending_renewal_info":[{"product_id":"com.example.monthly","original_transaction_id":"730001","#
      + #""auto_renew_product_id":"com.example.monthly","auto_renew_status":"1"}]},"bid":"com.example""#
      + (filler > 0 ? #","filler":"\#(String(repeating: "x", count: filler))""# : "") + "}"
  }

  /// The same record with one member a line and two blanks a level; no line feed at its end.
  static func pretty(_ number: Int) -> String {
    let text = (try? PrettyJSON.text(line(number).utf8)) ?? ""
    precondition(text.count > 100)
    return String(text.dropLast())
  }

  static func lines(_ numbers: some Sequence<Int>, filler: Int = 0) -> String {
    numbers.map { line($0, filler: filler) + "\n" }.joined()
  }
}
