import SlipcastMapping
import SlipcastTestSupport
import Testing

@testable import SlipcastCommand

/// Whatever is mistyped, the message says what was probably meant.
@Suite struct SuggestionTests {
  static let fixtures = Folder.package("Fixtures")

  static let mistyped: [(line: String, says: String)] = [
    // commands
    ("slipcast convrt x", "did you mean convert?"), ("slipcast mapings chek x", "did you mean mappings check?"),
    ("slipcast baseline chekc", "unknown command \"baseline chekc\"; did you mean baseline check?"),
    ("slipcast baseline", "it is one of baseline record, baseline check or baseline approve"),
    ("slipcast baseline frobnicate", "it is one of baseline record, baseline check or baseline approve"),
    ("slipcast basline", "did you mean baseline record, baseline check or baseline approve?"),
    ("slipcast mappings", "did you mean mappings check?"), ("slipcast baseline-check", "did you mean baseline check?"),
    ("slipcast check", "did you mean baseline check or mappings check?"),
    ("slipcast help convrt", "did you mean convert?"), ("slipcast help baseline chek", "did you mean baseline check?"),
    ("slipcast help baseline convert", "it is one of"), ("slipcast version", "did you mean --version?"),
    ("slipcast Convert", "did you mean convert?"), ("slipcast mappings cheka --help", "did you mean mappings check?"),
    ("slipcast time", "did you mean timeline?"),
    // options
    ("slipcast convert --rejcts x", "did you mean --rejects?"), ("slipcast convert -emit x", "did you mean --emit?"),
    ("slipcast convert -o x", "unknown option -o; did you mean --to?"),
    ("slipcast timeline --output x", "unknown option --output; did you mean --to?"),
    ("slipcast convert -emit=x", "unknown option -emit; did you mean --emit?"),
    ("slipcast convert --prov x", "did you mean --provenance?"), ("slipcast convert –emit x", "did you mean --emit?"),
    ("slipcast convert —emit=history", "begins with a long dash; did you mean --emit?"),
    ("slipcast verify --received-at /x", "unknown option --received-at of verify; it is one of convert, timeline"),
    (
      "slipcast diff --summary x",
      "unknown option --summary of diff; it is one of convert, fetch history, fetch statuses and others\n"
    ),
    ("slipcast convert --version", "use it alone: slipcast --version"),
    ("slipcast convert --no-such=3", "unknown option --no-such\n"),
    ("slipcast diff -v", "did you mean --verbose or --verify?"), ("slipcast --hlep", "did you mean --help?"),
    ("slipcast --convert", "did you mean convert?"),
    ("slipcast --quiet convert x", "follows a command: slipcast convert --quiet"),
    ("slipcast --color=never convert x", "follows a command"),
    ("slipcast manual format", "did you mean --format?"),
    // values
    ("slipcast convert --emit histry", "did you mean history?"),
    ("slipcast convert --emit", "needs a value: one of auto, "),
    ("slipcast diff --strict semantc a b", "did you mean semantic?"),
    ("slipcast verify --environment production x", "did you mean Production?"),
    ("slipcast parity --format htm", "did you mean html?"),
    ("slipcast convert --on-error reject! x", "did you mean reject?"),
    ("slipcast convert --split bundel --to x/ /dev/null", "did you mean bundle?"),
    ("slipcast convert --split", "needs a value: one of date, bundle, date|bundle|N"),
    ("slipcast convert --compress gzip x", "did you mean gz?"),
    ("slipcast inspect --environment prod x", "did you mean Production?"),
    ("slipcast parity --legacy a b --server c", "found the word \"b\"; the shell makes several words of a pattern"),
    ("slipcast completions bsh", "did you mean bash?"),
    ("slipcast completions", "expected one shell: bash, zsh or fish"),
    ("slipcast manual --format pdf", "is one of text, man, markdown, not \"pdf\""),
    ("slipcast convert --color allways x", "did you mean always?"),
    ("slipcast convert --to x.sqlit --execute /dev/null", "did you mean .sqlite?"),
    ("slipcast convert --execute /dev/null", "--execute is for databases"),
    ("slipcast convert --to out.ndjson.xz /dev/null", ".xz is not written"),
    ("slipcast convert --to out.tsv /dev/null", ".tsv is not written"),
    ("slipcast parity --legacy /dev/null --server /dev/null --min-agreement 0.95", "with its percent sign"),
    // names
    ("slipcast explain prise_consent_status", "did you mean price_consent_status?"),
    ("slipcast explain data.renewalInfo.priceIncreaseStatsu", "did you mean renewal.priceIncreaseStatus?"),
    ("slipcast explain latest_receipt_info.expires_date_sm", "did you mean expires_date_ms?"),
    ("slipcast explain renewal.priceIncreaseSttus", "did you mean renewal.priceIncreaseStatus?"),
    ("slipcast explain untrustedRoto", "did you mean untrustedRoot?"),
    ("slipcast explain VOLUNTRY", "did you mean VOLUNTARY?"),
    ("slipcast explain semantci", "did you mean semantic?"),
    ("slipcast explain status=9", "the values of status are 1, 2, 3, 4, 5"),
    ("slipcast explain zzzzzzzzzzzz", "--names shows every name"),
    ("slipcast explain --names x", "use --names or a name, not both"),
  ]

  @Test(arguments: mistyped.indices)
  func aMistypedWordGetsASuggestionOfSomethingThatIsThere(_ index: Int) throws {
    let (line, says) = Self.mistyped[index]
    let run = try Program.shell(line)
    checkSuggestion(run.errors)
    #expect(run.status == 2 && run.output.isEmpty, "\(line)")
    #expect(run.errors.contains(says), "\(line): \(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 2 && run.errors.contains("\nTry: slipcast "), "\(run.errors)")
  }

  @Test(arguments: [
    ("slipcast parity a.ndjson b.ndjson", 2, "did you mean --legacy a.ndjson --server b.ndjson?\n"),
    ("slipcast convert --mappings . x", 2, "Try: slipcast convert --help"),
    (
      "echo '{\"x\":\"Consumabel\"}' | slipcast convert --products /dev/stdin x", 2,
      "did you mean \"Consumable\"?\nTry: slipcast convert --help"
    ),
    ("touch x.txt; slipcast convert .", 2, "no file to read in .; expected names with an extension of JSON"),
    ("slipcast timeline .", 2, "no file to read in .; expected names"),
    (
      "touch x.json; slipcast parity --legacy x.json --server . --include '*.b64'", 2,
      "--server: no file of the"
    ),
    ("printf 'a,b\\n1,2\\n' > x.csv; slipcast convert x.csv", 1, "x.csv is a table; --body names the column"),
    ("printf 'INFO {\"a\":1}\\n' > app.log; slipcast convert app.log", 1, "--from-logs finds the notifications"),
  ])
  func whatCannotBeReadComesWithAdvice(_ line: String, _ status: Int32, _ says: String) throws {
    let run = try Program.shell("cd $(mktemp -d); \(line)")
    #expect(run.status == status && run.errors.contains(says), "\(line): \(run.errors)")
  }

  @Test func everyFindingIsExplained() throws {
    let codes = Harness.rules.findings.map(\.code)
    #expect(codes.contains("dateMismatch") && codes.contains("refundOfSubscription"))
    let run = try Program.shell("slipcast explain \(codes.joined(separator: " "))")
    #expect(run.status == 0, "\(run.errors)")
    #expect(codes.allSatisfy { run.output.contains("\($0)\n  ") })
  }

  /// Everything that works when it is typed.
  private static let words: Set<String> = {
    let options = Slipcast.descriptions.flatMap(\.allOptions)
    let endings = (ConvertTarget.endings + ConvertTarget.endingsOfStores).map { ".\($0)" }
    return Set(Table.names + ["--help", "--version", "bash"] + ExplainedNames(Harness.rules).all + endings)
      .union(options.map { "--\($0.name)" }).union(options.flatMap { $0.choices.map(\.name) })
  }()

  private func checkSuggestion(_ errors: String) {
    guard let match = errors.firstMatch(of: #/did you mean (.*)\?/#) else { return }
    for word in match.1.replacing(" or ", with: ", ").split(separator: ", ").map(String.init) {
      #expect(Self.words.contains(word), "\(errors)")
    }
  }

  @Test func aMistypedFileGetsOneThatLiesThere() throws {
    try Workplace.with { place in
      try CommandSweep.prepare(place)
      let near = try place.run(["convert", "in/v1.njdson"])
      #expect(near.errors.contains("in/v1.njdson: cannot open: No such file or directory; did you mean in/v1.ndjson?"))
      let known = try place.run([
        "parity", "--legacy", "in/v1.ndjson", "--server", "in/v2.ndjson", "--baseline", "inn/b.json",
      ])
      #expect(known.status == 2 && !known.errors.contains("did you mean"))
      // These two differ on purpose.
      #expect(!(try place.run(["convert", "in/v3.json"])).errors.contains("did you mean"))
      let word = try place.run(["in/v1.ndjson"])
      #expect(word.errors.contains("to convert it: slipcast convert in/v1.ndjson"))
    }
  }

  @Test func aMistypedPathOfAnAcceptedDifferenceIsNamed() throws {
    try Workplace.with { place in
      try CommandSweep.prepare(place)
      try place.write("in/ignore.txt", "data.renewalInfo.priceIncreaseStatsu known\n")
      let diff = try place.run(["diff", "--quiet", "--ignore", "in/ignore.txt", "in/v1.json", "in/v2.json"])
      #expect(
        diff.errors.contains("can be removed, unless data.renewalInfo.priceIncreaseStatus was meant"),
        "\(diff.errors)")
      let example = Folder.package("Examples/migration")
      let pair = ["--legacy", "\(example)/v1.ndjson", "--server", "\(example)/v2.ndjson"]
      let gate = try place.run(["parity", "--min-agreement", "data.transactionInfo.expiresDat=1%"] + pair)
      #expect(
        gate.status == 1 && Table.flat(gate.output).contains("did you mean data.transactionInfo.expiresDate?"),
        "\(gate.output)")
      let approve = try place.run(
        [
          "baseline", "approve", "--baseline", "in/b.json", "--reason", "x", "--path",
          "data.transactionInfo.expiresDat",
        ] + pair)
      #expect(
        approve.status == 1 && approve.errors.contains("did you mean data.transactionInfo.expiresDate?"),
        "\(approve.errors)")
    }
  }

  /// Every name that is offered can be explained, and what rules name is offered.
  @Test func everyNameThatExplainListsCanBeExplained() throws {
    let names = ExplainedNames(Harness.rules)
    let listed = try Program.shell("slipcast explain --names").output.split(separator: "\n").map(String.init)
    #expect(listed == names.all && listed.count > 500)
    for name in listed {
      #expect(!names.pages(for: name).isEmpty, "\(name)")
      #expect(!name.contains { $0.isWhitespace || "'\"\\$`".contains($0) }, "\(name)")
    }
    for rule in Harness.rules.fields { #expect(listed.contains(rule.id)) }
    for word in [
      "price_consent_status", "priceIncreaseStatus", "DID_RENEW", "EXPIRED/VOLUNTARY", "VOLUNTARY", "conflict",
      "FREE_TRIAL", "untrustedRoot", "dateMismatch",
    ] {
      #expect(listed.contains(word), "\(word)")
    }
  }
}
