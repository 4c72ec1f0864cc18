import SlipcastMapping
import SlipcastReceipts
import SlipcastSignatures
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// Signed payloads; the first byte chooses what the others are: a token, edits of a good token, or a payload.
  static let token = FuzzTarget(
    name: "token",
    summary:
      "no token is trusted but the one that was signed, letter for letter; every payload that is signed gets a verdict",
    seeds: {
      let tokens = ["pairs/form-bare-token", "pairs/form-signed-payload", "pairs/statuses-only-in-v2"]
      let payloads = try Seeds.files(["pairs"], named: ["v2.json"], most: 30)
      return try tokens.map { [0] + (try Fixture.named($0).bytes("v2.json")) } + payloads.map { [2] + $0 }
        + [[1, 0, 40, 65], [1, 9, 200, 66, 0, 3, 46]]
    },
    words: ServerWords.names + ["alg", "ES256", "x5c", "none", "typ", "kid", "crit", "b64", "exp", "nbf", "aud"],
    make: {
      let judge = try TokenJudge()
      return { bytes in
        guard let mode = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch mode % 3 {
        case 0: try judge.judge(text: rest)
        case 1: try judge.judge(edits: rest)
        default: try judge.judge(payload: rest)
        }
      }
    })
}

/// Judges tokens with an identity made for this run.
private final class TokenJudge {
  private let signer: JWSSigner
  private let tokens: JWSVerifier
  private let records: RecordVerifier
  private let good: [UInt8]

  init() throws {
    let identity = try TestIdentity.make()
    signer = JWSSigner(identity: identity)
    var policy = VerificationPolicy()
    policy.anchors = identity.anchors
    tokens = JWSVerifier(policy: policy)
    records = RecordVerifier(policy: policy, rules: try RuleSet.builtIn())
    let payload =
      #"{"transactionId":"1","bundleId":"com.example","environment":"Sandbox","signedDate":\#(Timestamp.now.milliseconds)}"#
    good = Array(try signer.sign(payload.utf8).utf8)
    guard tokens.verify(String(decoding: good, as: UTF8.self)).isValid else {
      throw Violation("a good token is refused")
    }
  }

  /// Nobody can have signed it: the identity is younger than the input.
  func judge(text: [UInt8]) throws {
    if tokens.verify(String(decoding: text, as: UTF8.self)).isValid { throw Violation("a foreign token is trusted") }
    if records.verify(text).contains(where: \.isValid) { throw Violation("a foreign record is trusted") }
  }

  /// Three bytes an edit: the place in the good token, and what to write there.
  func judge(edits: [UInt8]) throws {
    var token = good
    for start in stride(from: 0, to: edits.count - 2, by: 3) {
      token[(Int(edits[start]) << 8 | Int(edits[start + 1])) % token.count] = edits[start + 2]
    }
    let isValid = tokens.verify(token.span).isValid
    guard isValid == (token == good) else {
      throw Violation("another token than the signed one is trusted, or that one is not")
    }
  }

  /// Whatever is signed gets a verdict; what is trusted is a JSON object with a date.
  func judge(payload: [UInt8]) throws {
    guard let token = try? signer.sign(payload) else { return }
    let verdict = tokens.verify(token)
    guard verdict.isValid else { return }
    guard let text = try? ReadText(payload), text.tape[0].kind == .object else {
      throw Violation("a payload that is not a JSON object is trusted")
    }
    guard CompactJWS(token)?.payload == payload else { throw Violation("the payload is not what was signed") }
  }
}
