import SlipcastComparison
@_spi(Slipcast) import SlipcastWire

/// What a comparison was made from, in documents for programs.
extension JSONWriter {
  /// The members `inputs`, `options` and `rules`.
  func lines(of origin: ComparisonOrigin) {
    line("inputs") {
      raw("{")
      sources("legacy", origin.legacy)
      sources("server", origin.server)
      raw("}")
    }
    line("options") {
      raw("{")
      for option in origin.options { values(of: option) }
      raw("}")
    }
    line("rules") {
      raw("{")
      member("version", origin.rules.version)
      member("digest", origin.rules.digest)
      raw("}")
    }
  }

  private func sources(_ name: String, _ sources: [ComparisonOrigin.Source]) {
    key(name)
    rows(sources, margin: "    ") { source in
      member("name", source.name)
      member("kind", source.kind.rawValue)
      member("records", source.records)
      if let span = source.span {
        member("from", Int(span.lowerBound))
        member("to", Int(span.upperBound))
      }
      if let bytes = source.bytes { member("bytes", bytes) }
      member("sha256", ifPresent: source.sha256)
    }
  }

  private func values(of option: ComparisonOrigin.Option) {
    key(option.name)
    raw("[")
    for value in option.values {
      comma()
      text(value)
    }
    raw("]")
  }

  /// A list of gates.
  func lines(of gates: [ParityResult.Gate]) {
    lines("gates", gates) { gate in
      member("name", gate.name)
      key("holds")
      boolean(gate.holds)
      member("message", gate.message)
    }
  }
}
