import SlipcastComparison
@_spi(Slipcast) import SlipcastWire

/// What a comparison was made from, in documents for programs.
extension JSONWriter {
  /// The members `inputs`, `made`, `options` and `rules`.
  func lines(of origin: ComparisonOrigin) {
    object(line: "inputs") {
      sources("legacy", origin.legacy)
      sources("server", origin.server)
    }
    if let made = origin.made { line("made") { integer(made) } }
    object(line: "options") { for option in origin.options { member(option.name, option.values) } }
    object(line: "rules") {
      member("version", origin.rules.version)
      member("digest", origin.rules.digest)
    }
  }

  private func sources(_ name: String, _ sources: [ComparisonOrigin.Source]) {
    key(name)
    rows(sources, margin: "    ") { source in
      member("name", source.name)
      member("kind", source.kind.rawValue)
      member("records", source.records)
      if let span = source.span {
        member("from", span.lowerBound)
        member("to", span.upperBound)
      }
      if let bytes = source.bytes { member("bytes", bytes) }
      member("sha256", ifPresent: source.sha256)
    }
  }

  func lines(of gates: [ParityResult.Gate]) {
    lines("gates", gates) { gate in
      member("name", gate.name)
      member("holds", gate.holds)
      member("message", gate.message)
    }
  }
}
