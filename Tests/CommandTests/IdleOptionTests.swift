import SlipcastTestSupport
import Testing

/// An option that cannot act on the given inputs is refused, and none of them is read or written.
@Suite struct IdleOptionTests {
  /// The option that is refused stands first in each line.
  static let lines: [String] = [
    // Names of files: only folders and archives have several.
    "--include convert --from-logs --include '*.z' in/app.log", "--include convert --include '*.z' in/lines.b64",
    "--include timeline --from-logs --include '*.z' in/app.log", "--include verify --include '*.z' in/receipt",
    "--include inspect --include '*.z' in/receipt",
    "--include export --for adapty --to o.csv --include '*.z' in/lines.b64",
    "--include replay --to http://127.0.0.1:9/ --include '*.z' in/plain",
    "--include sign in/id --include '*.z' in/plain",
    "--include fetch history --include '*.z' in/plain",
    // Tables and logs: a folder or an archive has a file of that form.
    "--csv convert --csv in/json", "--separator convert --separator ';' in/json", "--tsv convert --tsv copy in/json",
    "--tsv convert --tsv copy in/json.zip", "--separator convert --separator ';' in/json.zip",
    "--separator timeline --separator ';' in/json", "--from-logs convert --from-logs in/tables",
    "--separator parity --separator ';' --legacy in/json --server in/v2.ndjson",
    // Records of version 2 are stored as they are.
    "--emit convert in/v2.ndjson --to o.sqlite --execute --emit history",
    "--emit convert in/v2.ndjson --to o.sqlite --execute --emit statuses",
    "--app-apple-id convert in/v2.ndjson --to o.sqlite --execute --app-apple-id 5",
    "--products convert in/v2.ndjson --to o.sqlite --execute --products in/products.json",
    "--app-apple-id parity --legacy in/v2.ndjson --server in/v2.ndjson --app-apple-id 5",
    "--products parity --legacy in/v2.ndjson --server in/v2.ndjson --products in/products.json",
    "--settle parity --legacy in/v2.ndjson --server in/v2.ndjson --settle",
    "--storekit diff in/v2.json in/v2.json --storekit",
    // What is sent as it is stored is not converted.
    "--app-apple-id replay --to http://127.0.0.1:9/ --raw --app-apple-id 7 in/v1.ndjson",
    "--products replay --to http://127.0.0.1:9/ --raw --products in/products.json in/v1.ndjson",
    "--seed replay --to http://127.0.0.1:9/ --raw --seed 5 in/v1.ndjson",
    // No input is read.
    "--body fetch history --id 1 --bundle-id a --body x", "--csv fetch history --id 1 --bundle-id a --csv",
    "--tsv fetch statuses --id 1 --bundle-id a --tsv copy",
    "--from-logs fetch refunds --id 1 --bundle-id a --from-logs",
    "--include fetch notifications --bundle-id a --include x",
    // Nothing is delivered. (--journal-keep acts without that.)
    "--retry-seconds serve --journal j --retry-seconds 1", "--forward-timeout serve --journal j --forward-timeout 3",
    "--redeliver serve --journal j --redeliver", "--from-now serve --journal j --from-now",
    "--signed-date serve --journal j --signed-date arrival",
    "--products serve --journal j --products in/products.json",
    "--retry-seconds serve --journal j --to o.ndjson --retry-seconds 1",
    "--signed-date serve --journal j --forward raw=http://127.0.0.1:9/ --signed-date arrival",
  ]

  private static let inputs = """
    cp in/v1.ndjson in/plain; sed 's/^/2021-01-01 got /' in/v1.ndjson > in/app.log
    head -n 2 in/v1.ndjson | while read -r line; do printf '%s' "$line" | base64 -w 0; echo; done > in/lines.b64
    echo '{}' > in/products.json; mkdir in/json in/tables; head -n 2 in/v1.ndjson > in/json/a.ndjson
    python3 -c 'import csv, sys; csv.writer(sys.stdout).writerows([["body", "at"], *[[l, 1] for l in open("in/v1.ndjson")][:3]])' > in/rows.csv
    cp in/rows.csv in/tables; (cd in && python3 -m zipfile -c json.zip json/a.ndjson)
    cp '\(Fixture.named("receipts/signed/app-production").path("receipt.base64"))' in/receipt
    slipcast identity --quiet in/id

    """

  @Test func everyOneIsRefusedByItsName() throws {
    try Workplace.with { place in
      try place.copyExample()
      let commands = Self.lines.enumerated().map { number, line in
        let parts = line.split(separator: " ", maxSplits: 1)
        return
          "timeout 5 '\(Program.path)' \(parts[1]) > /dev/null 2> told < /dev/null; echo \"\(number) $? $(head -n 1 told | grep -cE -- '\(parts[0]) .*(leave it out|no effect|does not go)')\""
      }
      let run = try place.shell(Self.inputs + commands.joined(separator: "\n") + "\nls | grep -v '^in$\\|^told$'")
      let wrong = zip(run.output.split(separator: "\n"), Self.lines).filter { !$0.0.hasSuffix(" 2 1") }
      #expect(run.output.split(separator: "\n").count == Self.lines.count, "\(run.output.suffix(200))")
      #expect(wrong.isEmpty, "\(wrong.map { "\($0.0): \($0.1)" }.joined(separator: "\n"))")
    }
  }

  /// The same options, where one of the inputs has a use for them.
  static let active = [
    "convert --include '*.ndjson' in/json in/app", "convert --include 'a.*' in/json.zip",
    "convert --include 'a.*' in/zipped",
    "convert --separator ',' in/tables --body body", "convert --csv in/rows --body body",
    "convert --from-logs in/logs --include '*.log'",
    "convert --separator ',' in/tables.zip --body body",
    "convert in/both.ndjson --to o.sqlite --execute --app-apple-id 5",
    "replay --to http://127.0.0.1:9/ --sign in/id --app-apple-id 7 in/json/a.ndjson",
    "replay --to http://127.0.0.1:9/ --raw --seed 5 --order shuffled in/json/a.ndjson",
    "replay --to http://127.0.0.1:9/ --raw --seed 5 --duplicates 10% in/json/a.ndjson",
    "parity --legacy in/json --server in/v2.ndjson --settle --app-apple-id 1 --exit-zero",
  ]

  @Test func oneThatActsIsTaken() throws {
    try Workplace.with { place in
      try place.copyExample()
      let commands = Self.active.enumerated().map {
        "slipcast \($1) > /dev/null 2> told; echo \"\($0) $? $(grep -c 'Try: ' told)\""
      }
      let more = """
        cp in/json.zip in/zipped; cp in/rows.csv in/rows; mkdir in/logs; cp in/app.log in/logs
        cat in/json/a.ndjson in/v2.ndjson > in/both.ndjson; cp in/json/a.ndjson in/app
        (cd in && python3 -m zipfile -c tables.zip tables/rows.csv)

        """
      let run = try place.shell(Self.inputs + more + commands.joined(separator: "\n"))
      let wrong = zip(run.output.split(separator: "\n"), Self.active).filter {
        !$0.0.hasSuffix(" 0") || $0.0.contains(" 2 ")
      }
      #expect(wrong.isEmpty, "\(wrong.map { "\($0.0): \($0.1)" }.joined(separator: "\n"))")
    }
  }
}
