import Testing

/// No output takes the place of an input, whatever either is called.
@Suite struct OverwriteTests {
  static let access = "--bundle-id com.example --environment production --key in/id/leaf.key --key-id K --issuer I"
  static let lines = [
    "convert in/a.ndjson --to in/a.ndjson", "convert in/a.ndjson --to in/hard.ndjson",
    "convert in/a.ndjson --to in/soft.ndjson", "convert in/soft.ndjson --to in/a.ndjson",
    "convert in/b.ndjson.part --to in/b.ndjson", "convert in --include '*.part' --to in/b.ndjson",
    "convert in/b.ndjson.part --rejects in/b.ndjson", "convert in/c.json.new --to o.ndjson --checkpoint in/c.json",
    "convert in/c.json.ids --to o.ndjson --dedupe --checkpoint in/c.json",
    "convert in/a.ndjson --to o.ndjson --products in/products.json --summary in/products.json",
    "convert in/a.ndjson --mappings in/rules --rejects in/rules/rule.json",
    "convert in/a.ndjson --sign in/id --rejects in/id/leaf.key",
    "convert 'sqlite:in/shop.sqlite?table=v1' --rejects in/shop.sqlite",
    "convert 'sqlite:in/shop.sqlite?table=v1' --to in/shop.sqlite --execute",
    "convert in/a.ndjson --to o.ndjson --rejects o.ndjson", "convert in/a.ndjson --to o.ndjson --rejects o.ndjson.part",
    "convert in/a.ndjson --verify --root in/root.der --to in/root.der",
    "fetch history --ids in/c.json.pages --checkpoint in/c.json \(access)",
    "fetch history --ids in/c.json.revisions --to in/c.ndjson --checkpoint in/c.json \(access)",
    "fetch history --ids in/a.ndjson --to in/c.json.pages --checkpoint in/c.json \(access)",
    "timeline in/shop.sqlite --rejects in/shop.sqlite", "sign in/id in/v2.ndjson --rejects in/id/leaf.key",
    "sign in/id in/v2.ndjson --rejects in/v2.ndjson", "diff in/v1.json in/v2.json --report in/v1.json",
    "diff in/v1.json in/v2.json --ignore in/list.txt --report in/list.txt",
    "parity --legacy in/a.ndjson --server in/v2.ndjson --report in/list.txt --baseline in/list.txt",
    "parity --legacy in/a.ndjson --server in/v2.ndjson --rejects in/v2.ndjson",
    "baseline record --force --reason x --legacy in/a.ndjson --server in/v2.ndjson --baseline in/v2.ndjson",
    "baseline approve --reason x --path x --legacy in/a.ndjson --server in/v2.ndjson --baseline in/a.ndjson",
  ]

  @Test func everyOneIsRefusedAndAllStaysAsItWas() throws {
    try Workplace.with { place in
      try place.copyExample()
      let run = try place.shell(
        """
        slipcast identity --quiet in/id; cp in/v1.ndjson in/a.ndjson; ln in/a.ndjson in/hard.ndjson
        ln -s a.ndjson in/soft.ndjson; mkdir in/rules; echo '{}' > in/rules/rule.json; cp in/id/root.der in/root.der
        for f in b.ndjson.part c.json.new c.json.ids c.json.pages c.json.revisions; do cp in/v1.ndjson in/$f; done
        for f in products.json list.txt; do echo '{}' > in/$f; done
        python3 -c 'import sqlite3; sqlite3.connect("in/shop.sqlite").execute("create table v1 (body)")'
        find in -type f | sort | xargs cksum > before
        \(Self.lines.enumerated().map { "slipcast \($1) > /dev/null; echo \"\($0) $?\"" }.joined(separator: "\n"))
        find in -type f | sort | xargs cksum | cmp - before && ls
        """)
      let told = run.errors.split(separator: "\n").filter { !$0.hasPrefix("Try: ") }
      #expect(run.output == Self.lines.indices.map { "\($0) 2\n" }.joined() + "before\nin\n")
      #expect(told.count == Self.lines.count)
      #expect(told.allSatisfy { $0.contains("is also an input") || $0.contains("the same file") }, "\(run.errors)")
    }
  }

  /// An option without its value takes the archive for it; standard input is read then, and may be empty.
  static let others = [
    "convert --provenance in/a.ndjson", "convert --rejects in/a.ndjson", "convert --to in/a.ndjson",
    "convert --to in/a.ndjson.gz", "convert --to in/rows.csv", "convert --to in/answers.json",
    "timeline --to in/a.ndjson", "sign in/id in/v2.ndjson --rejects in/a.ndjson",
    "parity --report in/answers.json --legacy in/v2.ndjson --server in/v2.ndjson",
    "fetch history --ids in/ids.txt --to in/a.ndjson \(access)",
  ]

  @Test func noneReplacesAnArchiveThatIsNotRead() throws {
    try Workplace.with { place in
      try place.copyExample()
      let run = try place.shell(
        """
        cp in/v1.ndjson in/a.ndjson; gzip -k in/a.ndjson; echo 100000000000001 > in/ids.txt
        slipcast identity --quiet in/id
        echo '{"status": 0, "environment": "Production", "latest_receipt_info": []}' > in/answers.json
        python3 -c 'import csv, sys; csv.writer(sys.stdout).writerows([["id", "body"], *enumerate(open("in/a.ndjson"))])' > in/rows.csv
        find in -type f | sort | xargs cksum > before
        \(Self.others.enumerated().map { "slipcast \($1) < /dev/null > /dev/null; echo \"\($0) $?\"" }.joined(separator: "\n"))
        find in -type f | sort | xargs cksum | cmp - before && ls
        """)
      let told = run.errors.split(separator: "\n").filter { !$0.hasPrefix("Try: ") }
      #expect(run.output == Self.others.indices.map { "\($0) 2\n" }.joined() + "before\nin\n", "\(run.errors)")
      #expect(told.count == Self.others.count)
      #expect(told.allSatisfy { $0.contains("has legacy records") }, "\(run.errors)")
    }
  }

  /// Files that slipcast reads and then writes again, and folders that it fills: what is there must be its own.
  static let strangers = [
    "verify in/v2.ndjson --online-checks --ocsp-cache notes.txt",
    "verify in/v2.ndjson --online-checks --ocsp-cache in/v2.ndjson.copy",
    "verify in/v2.ndjson --online-checks --ocsp-cache mixed.cache",
    "inspect in/v2.ndjson --online-checks --ocsp-cache notes.txt",
    "serve --journal j --listen 127.0.0.1:0 --online-checks --ocsp-cache notes.txt",
    "fetch history --id 1 --bundle-id a --online-checks --ocsp-cache notes.txt",
    "ui store.sqlite --export pages --id 730000559001003", "ui store.sqlite --export notes.txt --id 730000559001003",
  ]

  @Test func noneReplacesWhatSlipcastDidNotWrite() throws {
    try Workplace.with { place in
      try place.copyExample()
      let run = try place.shell(
        """
        mkdir pages; echo mine > pages/index.html; echo my notes > notes.txt; cp in/v2.ndjson in/v2.ndjson.copy
        printf '{"certificate":"a","response":"AAAA"}\nmy notes\n' > mixed.cache
        slipcast convert --quiet --exit-zero in/v1.ndjson --to store.sqlite --execute
        find . -type f | sort | xargs cksum > ../$$.before
        \(Self.strangers.enumerated().map { "timeout 20 '\(Program.path)' \($1) > /dev/null; echo \"\($0) $?\"" }.joined(separator: "\n"))
        find . -type f | sort | xargs cksum | cmp - ../$$.before && rm ../$$.before
        """)
      #expect(run.output == Self.strangers.indices.map { "\($0) 2\n" }.joined(), "\(run.errors)")
      let told = run.errors.split(separator: "\n").filter { !$0.hasPrefix("Try: ") }
      #expect(told.count == Self.strangers.count, "\(run.errors)")
      #expect(told.allSatisfy { $0.contains("slipcast wrote") || $0.contains("already") || $0.contains("folder") })
    }
  }

  @Test func itsOwnCacheIsReplacedAndAnEmptyFolderIsFilled() throws {
    try Workplace.with { place in
      try place.copyExample()
      let run = try place.shell(
        """
        printf '{"certificate":"a","response":"AAAA"}\n' > own.cache; touch empty.cache
        for cache in own.cache empty.cache new.cache; do
          slipcast verify in/v2.ndjson --quiet --online-checks --ocsp-cache $cache > /dev/null; echo $?
        done
        slipcast convert --quiet --exit-zero in/v1.ndjson --to store.sqlite --execute
        id=$(slipcast convert --quiet --exit-zero in/v1.ndjson | grep -o '"originalTransactionId":"[0-9]*' | head -n 1 | tr -cd 0-9)
        mkdir pages; slipcast ui store.sqlite --export pages --id $id --quiet; echo $?; ls pages | grep -c index.html
        """)
      #expect(run.output == "1\n1\n1\n0\n1\n", "\(run.output) \(run.errors)")
    }
  }

  @Test func whatSlipcastWroteIsReplaced() throws {
    try Workplace.with { place in
      try place.copyExample()
      let command =
        "slipcast convert --quiet in/v1.ndjson --to v2.ndjson --provenance p.ndjson --rejects-raw raw.ndjson --summary s.json"
      // Its rejects hold the records, which it cannot verify.
      let all = "slipcast convert --quiet --require-verified in/v1.ndjson --to none.ndjson --rejects r.ndjson"
      let run = try place.shell(
        "\(command); \(command); \(all); \(all); wc -l < raw.ndjson; grep -c notification_type r.ndjson")
      #expect(run.output == "1\n12\n", "\(run.errors)")
      #expect(!run.errors.contains("legacy records"), "\(run.errors)")
    }
  }
}
