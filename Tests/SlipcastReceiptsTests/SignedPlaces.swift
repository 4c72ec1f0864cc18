/// The parts of signed data of CMS in DER.
enum MessagePlaces {
  /// Tag and length of a value, then its content.
  private struct Value {
    var range: Range<Int>
    var content: Range<Int>
  }

  /// Names of the parts of a message; one for the whole of it where lengths are left open.
  static func of(_ bytes: [UInt8], path: [[UInt8]]) -> [SignedPlace] {
    guard let outer = values(bytes, bytes.indices).first, let message = values(bytes, outer.content).last,
      let data = values(bytes, message.content).first, bytes[1] != 0x80
    else { return [SignedPlace(range: bytes.indices, name: "a message of open lengths")] }
    let fields = values(bytes, data.content)
    guard fields.count == 5, let signer = values(bytes, fields[4].content).first else { return [] }
    var places = [
      SignedPlace(range: fields[0].range, name: "version of the message"),
      SignedPlace(range: fields[1].range, name: "list of digest algorithms"),
      SignedPlace(range: fields[2].range, name: "content"),
    ]
    for certificate in values(bytes, fields[3].content) {
      let position = path.firstIndex(of: Array(bytes[certificate.range]))
      let name = position.map { ["signer's certificate", "intermediate certificate", "root's copy"][$0] }
      places.append(SignedPlace(range: certificate.range, name: name ?? "certificate of no use"))
    }
    let parts = values(bytes, signer.content)
    let names = [
      "signer's version", "signer's name and number", "signer's digest algorithm", "signed attributes",
      "signature algorithm", "signature",
    ].filter { parts.count == 6 || $0 != "signed attributes" }
    return places + zip(parts, names).map { SignedPlace(range: $0.range, name: $1) }
  }

  private static func values(_ bytes: [UInt8], _ range: Range<Int>) -> [Value] {
    var values: [Value] = []
    var at = range.lowerBound
    while at + 1 < range.upperBound {
      let digits = bytes[at + 1] < 0x80 ? 0 : Int(bytes[at + 1] & 0x7F)
      let start = at + 2 + digits
      guard start <= range.upperBound else { return values }
      let length = digits == 0 ? Int(bytes[at + 1]) : bytes[(at + 2)..<start].reduce(0) { $0 << 8 | Int($1) }
      guard start + length <= range.upperBound else { return values }
      values.append(Value(range: at..<start + length, content: start..<start + length))
      at = start + length
    }
    return values
  }
}

/// The parts of receipts in text.
enum TextPlaces {
  /// Letters of base64, and what stands between them.
  static func ofLetters(_ text: [UInt8]) -> [SignedPlace] {
    runs(text) { $0 > 0x20 }.map { SignedPlace(range: $0, name: "letters") }
      + [SignedPlace(range: text.indices, name: "line ends")]
  }

  /// The members of an old-style property list.
  static func ofMembers(_ list: [UInt8]) -> [SignedPlace] {
    let lines = runs(list) { $0 != 0x0A }
    let names = ["signature", "purchase-info"]
    return lines.map { line in
      let text = String(decoding: list[line], as: UTF8.self)
      return SignedPlace(range: line, name: names.first { text.contains("\"\($0)\"") } ?? "what is not signed")
    } + [SignedPlace(range: list.indices, name: "line ends")]
  }

  private static func runs(_ bytes: [UInt8], where isPart: (UInt8) -> Bool) -> [Range<Int>] {
    bytes.indices.split { !isPart(bytes[$0]) }.compactMap { run in
      run.first.flatMap { first in run.last.map { first..<$0 + 1 } }
    }
  }
}
