import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@_spi(Slipcast) @testable import SlipcastBulk

/// Damage in tables and logs is one reject, after the rows that could be read; the next source follows.
@Suite struct DamagedTableTests {
  /// How a form writes a record.
  struct Form: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var name: String
    var head = ""
    var row: @Sendable (Int) -> String
    var table = TableOptions()
  }

  private static func table(_ change: (inout TableOptions) -> Void) -> TableOptions {
    var table = TableOptions()
    change(&table)
    return table
  }

  static let forms: [Form] = [
    Form(
      testDescription: "CSV", name: "rows.csv", head: "id,body\n",
      row: { "\($0),\"\(Sample.line($0).replacing("\"", with: "\"\""))\"\n" }),
    // Its last cell is short, so that a row may be cut off between two characters of it.
    Form(
      testDescription: "CSV with a last column", name: "rows.csv", head: "body,id\n",
      row: { "\"\(Sample.line($0).replacing("\"", with: "\"\""))\",\(String(repeating: "7", count: 4000))\n" }),
    Form(
      testDescription: "TSV", name: "rows.tsv", head: "id\tbody\n", row: { "\($0)\t\(Sample.line($0))\n" },
      table: table { $0.escaping = .plain }),
    Form(
      testDescription: "log", name: "app.log", row: { "INFO got \(Sample.line($0)) from a\n" },
      table: table { $0.isLog = true }),
  ]

  private static func convert(_ folder: TemporaryFolder, _ names: [String], _ form: Form) async throws -> Run {
    var options = ConvertOptions()
    (options.keepsRejects, options.keepsRawRejects) = (true, true)
    if !form.table.isLog { options.body = JSONPointer("/body") }
    let files = names.map { name in
      var file = InputFile(path: folder.path(name))
      file.table = form.table
      return file
    }
    var sink = MemorySink()
    let (end, counts) = try await ConvertRun(rules: Runs.rules, options: options).convert(files, to: &sink)
    return Run(sink: sink, end: end, counts: counts)
  }

  private static func text(_ form: Form, _ numbers: ClosedRange<Int>) -> [UInt8] {
    Array((form.head + numbers.map(form.row).joined()).utf8)
  }

  @Test(arguments: forms, [0.02, 0.3, 0.66, 0.99])
  func whatGzipLostIsOneRejectAndTheNextFileIsRead(_ form: Form, _ share: Double) async throws {
    let whole = try Packed.pack(Self.text(form, 1...300), [.gz])
    try await TemporaryFolder.with { folder in
      try folder.write("a/\(form.name).gz", bytes: Array(whole.prefix(Int(Double(whole.count) * share))))
      try folder.write(form.name, bytes: Self.text(form, 301...303))
      let run = try await Self.convert(folder, ["a/\(form.name).gz", form.name], form)
      #expect(run.rejects.map(\.code) == ["damaged"] && run.rejects.first?.stage == .source, "\(run.places)")
      #expect(run.numbers.suffix(3) == [301, 302, 303])
      let read = run.numbers.count - 3
      #expect(run.numbers.prefix(read).elementsEqual(1..<read + 1) && read < 300)
      #expect(!run.rejectFile.contains("SECRET"))
    }
  }

  /// Half a character at the end; for the first row that is before the end of the header row.
  @Test(arguments: forms, [1, 60])
  func halfACharacterInUTF16IsOneReject(_ form: Form, _ rows: Int) async throws {
    let text = String(decoding: Self.text(form, 1...rows).dropLast(rows == 1 ? 0 : 900), as: UTF8.self)
    let units = Array(text.utf16)
    let wide: [UInt8] = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    try await TemporaryFolder.with { folder in
      try folder.write("a/\(form.name)", bytes: [0xFF, 0xFE] + wide + [0x41])
      try folder.write(form.name, bytes: Self.text(form, 301...303))
      let run = try await Self.convert(folder, ["a/\(form.name)", form.name], form)
      #expect(run.rejects.map(\.code) == ["damaged"], "\(run.places)")
      #expect(run.numbers.suffix(3) == [301, 302, 303])
    }
  }

  /// A value that was cut off must not be taken for the whole one.
  @Test func aRowThatDamageCutOffIsKeptForRepairAndNotConverted() async throws {
    let form = Self.forms[1]
    let whole = Self.text(form, 1...3)
    let cut = whole.count - 2000
    // Without its checksum, after all of its content.
    let packed = try Packed.pack(Array(whole.prefix(cut)), [.gz]).dropLast(8)
    try await TemporaryFolder.with { folder in
      try folder.write(form.name + ".gz", bytes: Array(packed))
      let run = try await Self.convert(folder, [form.name + ".gz"], form)
      let reject = try #require(run.rejects.first)
      #expect(run.numbers == [1, 2] && run.rejects.count == 1)
      #expect(reject.line == 4 && reject.offset + reject.length == cut && reject.sha256 != nil, "\(reject)")
      #expect(reject.inputOmitted == "unparsed" && reject.input.isEmpty)
      #expect(whole.prefix(cut).suffix(reject.length).elementsEqual(reject.text))
      #expect(reject.raw?.header == Array(form.head.utf8))
    }
  }

  /// Every place where such a run can be interrupted.
  @Test(arguments: forms) func aRunResumesBehindTheDamage(_ form: Form) async throws {
    let whole = try Packed.pack(Self.text(form, 1...300), [.gz])
    try await TemporaryFolder.with { folder in
      try folder.write("\(form.name).gz", bytes: Array(whole.prefix(whole.count * 9 / 10)))
      var file = InputFile(path: folder.path("\(form.name).gz"))
      file.table = form.table
      try folder.write("b.ndjson", Sample.lines(301...303))
      let sources: [RecordSource] = [.file(file), .file(InputFile(path: folder.path("b.ndjson")))]
      var options = BulkOptions(recordBytes: 1 << 20)
      options.waits = true
      let run = BulkRun(options: options) { ListingTask(recordBytes: 1 << 20) }
      var steps: [(step: RunStep, output: Int, rejects: Int)] = []
      var first = MemorySink()
      _ = try await run.run(
        sources, to: &first,
        pause: { step, sink in
          steps.append((step, sink.output.count, sink.rejects.count))
          return true
        })
      #expect(first.rejects.filter { $0.code == "damaged" }.count == 1 && steps.count > 2)
      for (step, output, rejects) in steps {
        var again = MemorySink()
        _ = try await run.run(sources, from: (step.position, step.counts), to: &again)
        #expect(first.output.dropFirst(output).elementsEqual(again.output), "\(step.position)")
        #expect(first.rejects.dropFirst(rejects).map(\.description) == again.rejects.map(\.description))
      }
    }
  }
}
