@_spi(Slipcast) internal import SlipcastWire

/// Hides what may be the secret in broken JSON, where its key and the colon may be damaged too.
enum BrokenSecret {
  /// Apple's secret has 32 hexadecimal digits, and damage may have split it or added some; a part of a UUID has at most
  /// 12, and longer runs are searched as encoded text.
  private static let lengths = 13...36

  static func remove(from text: [UInt8]) -> [UInt8] {
    guard let first = text.first(where: { !$0.isBlank }), "{[".utf8.contains(first),
      isBroken(text, layer: 0)
    else { return text }
    return Redaction.replaceRuns(in: text, of: { $0.hexadecimalValue != nil }) { run in
      lengths.contains(run.count) && FragmentSecret.holdsBoth(run)
    }
  }

  /// Invalid JSON, or JSON with a string that begins like JSON and is invalid.
  private static func isBroken(_ text: [UInt8], layer: Int) -> Bool {
    guard layer <= SecretFilter.layers else { return true }
    return JSONReader(names: []).parse(JSONBuffer(text)) { holdsBroken($0, layer: layer) } ?? true
  }

  private static func holdsBroken(_ element: JSONElement, layer: Int) -> Bool {
    if let string = element.string {
      guard let first = string.utf8.first(where: { !$0.isBlank }), "{[".utf8.contains(first) else {
        return false
      }
      return isBroken(Array(string.utf8), layer: layer + 1)
    }
    return element.children.contains { holdsBroken($0, layer: layer) }
  }
}
