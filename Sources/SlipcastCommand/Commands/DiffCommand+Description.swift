extension DiffCommand {
  static let description = CommandDescription(
    "diff", .compare, operands: .files,
    options: [
      ReportFiles.format,
      ReportFiles.report,
      Option(name: "verbose", help: "The text report names rules and sources and lists fields that agree."),
      Option(name: "quiet", help: "Writes nothing to standard output; see the reports and the exit status."),
    ].under(.writing)
      + [
        ReportFiles.strict,
        RuleOptions.tolerance,
        Option(
          name: "ignore", value: "FILE", isRepeatable: true, file: .read,
          help: "Excludes accepted differences from the verdict; they are still shown, and counted separately."),
        Option(name: "exit-zero", help: "Ends with 0 despite conflicts."),
      ].under(.judging)
      + ([
        Option(
          name: "received-at", value: "TIME",
          help: "When LEGACY was received: milliseconds or seconds since 1970, or ISO 8601."),
        Option(name: "storekit", help: "Adds the values that StoreKit reports on a device for a renewal."),
      ] + InputOptions.casting).under(.casting)
      + TrustOptions.onTheWay("both records", "cannot be compared"))
}
