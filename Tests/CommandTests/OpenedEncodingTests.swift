import Foundation
import SlipcastTestSupport
import Testing

/// Commands that look at a signature open the same encodings as those that convert.
@Suite struct OpenedEncodingTests {
  /// The encodings of `Examples/forms.md`, as expressions of Python: `d` has the bytes, `b` their base64.
  static let encodings: [(name: String, code: String)] = [
    ("base64", "b"), ("blanks", "b.replace('+', ' ')"), ("url", "b.replace('+', '-').replace('/', '_').rstrip('=')"),
    ("gzip", "e(gzip.compress(d, mtime=0))"), ("twice", "e(b.encode())"), ("string", "json.dumps(b)"),
    ("digits", "'\\\\x' + d.hex()"), ("groups", "'<' + d.hex(' ', 4) + '>'"),
    ("dataURL", "'data:application/octet-stream;base64,' + b"),
    ("pem", "'-----BEGIN PKCS7-----\\n' + textwrap.fill(b, 64) + '\\n-----END PKCS7-----\\n'"),
    ("layers", "e(json.dumps(e(gzip.compress(d, mtime=0))).encode())"),
  ]

  private static let python = """
    import base64, gzip, json, sys, textwrap
    e = lambda bytes: base64.b64encode(bytes).decode()

    """

  /// Runs shell lines in a folder with what a program of Python writes there.
  private func run(_ code: String, _ lines: String) throws -> Program {
    try TemporaryFolder.with(["make.py": Self.python + code]) { folder in
      try Program.shell("cd '\(folder.path)' && python3 make.py && \(lines)")
    }
  }

  /// A notification that is not converted, signed by a test identity; `nil` where that failed.
  static let signedByApp: String? = {
    let folder = NSTemporaryDirectory() + "slipcast-opened-\(UUID().uuidString)"
    let v2 = Folder.package("Examples/migration/v2.ndjson")
    let run = try? Program.shell(
      """
      mkdir '\(folder)' && cd '\(folder)' && slipcast identity --quiet id > /dev/null &&
      head -n 3 '\(v2)' | slipcast sign --quiet id - > signed.ndjson
      """)
    return run?.status == 0 ? folder : nil
  }()

  private static let signed = "\(Fixture.root.path)/receipts/signed"
  private static let trust =
    "--root '\(signed)/root.der' --intermediate '\(signed)/intermediate.der' --intermediate '\(signed)/store-intermediate.der'"

  private static func receipt(_ encoding: String) -> String {
    """
    d = base64.b64decode(open('\(signed)/app-production/receipt.base64').read())
    b = e(d)
    text = \(encoding)
    json.dump({'receipt-data': text, 'password': 'SECRET'}, open('request.json', 'w'))
    app = {'receipt_type': 'Production', 'bundle_id': 'com.example.slipcast', 'request_date_ms': '1560000000000', 'in_app': []}
    json.dump({'status': 0, 'environment': 'Production', 'receipt': app, 'latest_receipt': text}, open('answer.json', 'w'))

    """
  }

  /// The table of forms: a receipt in a request, and in a response of verifyReceipt.
  @Test(arguments: encodings.map(\.name), ["request.json", "answer.json"])
  func aReceiptIsTrustedInEveryEncoding(_ name: String, _ file: String) throws {
    let encoding = try #require(Self.encodings.first { $0.name == name })
    let run = try run(
      Self.receipt(encoding.code),
      """
      slipcast verify --quiet --format text \(Self.trust) \(file)
      slipcast inspect \(Self.trust) \(file) | grep -o -m 1 'verdict: valid'
      slipcast convert --quiet --require-verified \(Self.trust) \(file) | grep -c .
      """)
    let place = file == "request.json" ? "receipt-data" : "latest_receipt"
    let lines = run.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("\(file):1: appReceipt \(place): valid") == true, "\(run.output) \(run.errors)")
    #expect(lines.dropFirst() == ["verdict: valid", "1"], "\(run.output) \(run.errors)")
  }

  /// A bare token, like a record under `signedPayload`.
  @Test(arguments: encodings.map(\.name))
  func aTokenIsOpenedInEveryEncoding(_ name: String) throws {
    let encoding = try #require(Self.encodings.first { $0.name == name })
    let folder = try #require(Self.signedByApp)
    let v1 = Fixture.named("notifications/did-renew").path("v1.json")
    let run = try run(
      """
      d = json.loads(open('\(folder)/signed.ndjson').readline())['signedPayload'].encode()
      b = e(d)
      text = \(encoding.code)
      open('token.txt', 'w').write(text)
      open('row.ndjson', 'w').write(json.dumps({'body': text}) + '\\n')

      """,
      """
      for words in token.txt '--body body row.ndjson'; do
        slipcast verify --quiet --format json --root '\(folder)/id/root.der' $words | grep -c '"verdict":"valid"'
        slipcast inspect --format json --root '\(folder)/id/root.der' $words | grep -c '"notification".*"verdict":"valid"'
        slipcast convert --quiet --to store.sqlite --execute $words; echo $?; rm -f store.sqlite
        slipcast replay --to http://127.0.0.1:9/ $words 2>&1 | grep -o '1 requests'
        slipcast parity --legacy '\(v1)' --server ${words//--body/--server-body} 2>&1 | grep -c ^rejected
      done
      """)
    #expect(run.output == String(repeating: "1\n1\n0\n1 requests\n0\n", count: 2), "\(run.output) \(run.errors)")
  }
}
