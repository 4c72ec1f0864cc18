import SlipcastTestSupport

@testable import SlipcastSignatures

/// `Tests/end-to-end/conformance/limbo.md`: counts, and every case whose outcome is not the one that the suite expects.
enum LimboTable {
  static func text(_ cases: [LimboCase]) -> String {
    """
    # x509-limbo

    Certificate paths of x509-limbo, good and bad, judged by the code that judges the certificates of signed payloads
    (`CertificatePath`). The suite's certificates do not have Apple's marks, without which `CertificatePath.find` refuses
    every one of them, good or bad; so its parts are asked one by one, each with a case's own roots and time:

    - *path*: what OpenSSL builds with Slipcast's settings;
    - *demands*: what Slipcast asks of that path besides the marks: exactly three certificates, an authority in the middle,
      key usage, digests, keys, key identifiers.

    Cases that the suite derives from BetterTLS are left out.

    `SLIPCAST_LIMBO=…/limbo.json swift test --filter Limbo` compares this page with the code; `RECORD=1` rewrites it.
    `limbo.json` comes from `make limbo.json` in the suite's repository.


    """ + counts(cases) + "\n## Cases that come out otherwise than the suite expects\n\n" + disagreements(cases)
  }

  private static func counts(_ cases: [LimboCase]) -> String {
    let head = ConformanceTable.head("group", "good", "path found", "bad", "path found", "and all demands met")
    let groups = Set(cases.map(\.group)).sorted()
    return head + groups.map { group in row(group, cases.filter { $0.group == group }) }.joined() + row("all", cases)
  }

  private static func row(_ name: String, _ cases: [LimboCase]) -> String {
    let (good, bad) = (cases.filter(\.isGood), cases.filter { !$0.isGood })
    return ConformanceTable.row(
      name, "\(good.count)", "\(good.count { $0.pathRefusal() == nil })", "\(bad.count)",
      "\(bad.count { $0.pathRefusal() == nil })", "\(bad.count { $0.demandRefusal() == nil })")
  }

  private static func disagreements(_ cases: [LimboCase]) -> String {
    cases.sorted { $0.id < $1.id }.reduce(ConformanceTable.head("case", "expected", "path", "demands", "why")) {
      table, limbo in
      let (path, demands) = (limbo.pathRefusal(), limbo.demandRefusal())
      guard (path == nil) != limbo.isGood else { return table }
      let reason = limbo.isGood ? LimboReason.ofRefusing(limbo.id) : LimboReason.ofTaking(limbo.id)
      return table
        + ConformanceTable.row(
          "`\(limbo.id)`", limbo.isGood ? "good" : "bad", path.map { "\($0.reason)" } ?? "found",
          path == nil ? demands.map { "\($0.reason)" } ?? "met" : "–", reason?.rawValue ?? "no reason is known")
    }
  }
}
