import CSlipcastProcess
import SlipcastBulk
import SlipcastMapping
import SlipcastOutlets
import SlipcastSystem
import SlipcastWire

/// `slipcast verify-receipt`: answers requests of Apple's old endpoint from V2 data.
enum VerifyReceiptCommand: Command {
  static let description = CommandDescription("verify-receipt", .convert, operands: .files)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    guard arguments.has("v2") || arguments.has("fetch") else {
      throw UsageError("expected --v2 INPUT or --fetch: the V2 data to answer from")
    }
    if arguments.operands.isEmpty, Platform.isTerminal(0) {
      throw UsageError("expected a REQUEST, or requests on standard input")
    }
    let rules = try RuleSet.builtIn()
    let policy = try TrustOptions.policy(arguments)
    TrustOptions.warn(policy, console)
    if arguments.has("fetch") { slipcast_process_hide_memory() }
    let sources = try await CustomerSources(arguments, rules, policy, console)
    var options = try VerifyReceiptSettings.options(arguments, rules, policy, sources: sources.sources)
    options.onError = { console.say("slipcast: \(Console.harmless($0))\n") }
    options.keepsProvenance = arguments.has("provenance")
    let service = VerifyReceiptService(options)
    let route: VerifyReceiptService.Route = arguments.value("environment") ?? .production
    let output = StreamOutput()
    let provenance = try arguments.last("provenance").map { try Self.open($0) }
    var isFine = sources.rejected == 0
    for name in arguments.operands.isEmpty ? ["-"] : arguments.operands {
      for request in try requests(in: name) {
        let answer = await service.answer(request, on: route)
        isFine = isFine && [.valid, .expired].contains(answer.status)
        try output.write((answer.json + [0x0A]).span)
        try provenance?.write(answer.provenance.span, part: .whole)
      }
    }
    try provenance?.finish()
    return isFine ? .fine : .findings
  }

  private static func open(_ path: String) throws -> any LineOutput {
    path == "-" ? StreamOutput() : try FileOutput(path)
  }

  /// The requests of a file: the whole of it, or one on each line where at least one line is an object by itself.
  ///
  /// Every other line is a request too, and has its answer.
  private static func requests(in name: String) throws -> [[UInt8]] {
    let text = try Files.read(name)
    let body = Array(text.dropFirst(ByteOrderMark.count(in: text)))
    let lines = body.split(separator: 0x0A).map(Array.init).filter { line in line.contains { !$0.isBlank } }
    let reader = JSONReader(names: [], limits: JSONLimits(recordBytes: Files.longest))
    guard lines.count > 1, reader.parse(JSONBuffer(body), { $0.kind }) == nil else { return [body] }
    return lines.contains { reader.parse(JSONBuffer($0), { $0.kind }) == .object } ? lines : [body]
  }
}
