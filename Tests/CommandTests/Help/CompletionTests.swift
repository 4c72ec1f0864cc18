import Foundation
import Testing

@testable import SlipcastCommand

/// The completion scripts, asked by the shells themselves.
@Suite struct CompletionTests {
  /// A command line up to the word that is being typed, and what must be offered.
  struct Line: Sendable, CustomTestStringConvertible {
    var typed: String
    var offered: [String]
    /// What must not be offered.
    var withheld: [String] = []
    var testDescription: String { typed }
  }

  /// Lines for every part of the table, and some that are easily got wrong.
  static let lines: [Line] =
    Slipcast.descriptions.flatMap { command in
      let start = "slipcast \(command.name) "
      let options = Line(typed: start + "--", offered: command.allOptions.map { "--\($0.name)" })
      let choices = command.allOptions.filter { !$0.choices.isEmpty }.map { option in
        Line(typed: "\(start)--\(option.name) ", offered: option.choices.map(\.name), withheld: ["--help"])
      }
      return [options] + choices
    } + [
      Line(
        typed: "slipcast ", offered: Completion.next(after: [], Slipcast.descriptions).map(\.name),
        withheld: ["record"]),
      Line(typed: "slipcast --", offered: ["--help", "--version"]),
      Line(typed: "slipcast con", offered: ["convert"], withheld: ["completions", "diff"]),
      Line(typed: "slipcast baseline ", offered: ["record", "check", "approve"], withheld: ["convert", "baseline"]),
      Line(typed: "slipcast mappings ", offered: ["check"], withheld: ["record"]),
      Line(typed: "slipcast help ", offered: ["convert", "baseline", "mappings"], withheld: ["record"]),
      Line(typed: "slipcast help baseline ", offered: ["record", "check"], withheld: ["convert"]),
      Line(typed: "slipcast completions ", offered: ["bash", "zsh", "fish"]),
      Line(typed: "slipcast explain price_con", offered: ["price_consent_status"]),
      Line(typed: "slipcast explain EXPIRED/VOL", offered: ["EXPIRED/VOLUNTARY"]),
      Line(typed: "slipcast explain DID_RENEW price_con", offered: ["price_consent_status"]),
      Line(typed: "slipcast convert --emit=his", offered: ["history"], withheld: ["auto"]),
      Line(typed: "slipcast convert --emit history --e", offered: ["--execute", "--exit-zero"], withheld: ["--emit"]),
      Line(typed: "slipcast convert --emit=history --e", offered: ["--execute"], withheld: ["--emit"]),
      Line(typed: "slipcast convert --jobs --e", offered: []),
      Line(typed: "slipcast convert --root a.der --ro", offered: ["--root"]),
      Line(
        typed: "slipcast parity --legacy a --server b --strict ", offered: ["semantic", "derived"],
        withheld: ["conflict"]),
      Line(typed: "slipcast nonsense ", offered: [], withheld: ["convert", "--help"]),
    ]

  private func check(_ line: Line, _ found: [String]) {
    #expect(Set(line.offered).isSubset(of: found), "\(line.typed): \(Set(line.offered).subtracting(found)) of \(found)")
    #expect(Set(line.withheld).isDisjoint(with: found), "\(line.typed): \(found)")
    #expect(Set(found).count == found.count, "\(line.typed): \(found)")
  }

  // MARK: bash

  /// Answers to lines, in their order, by a script that reads lines and ends each answer with a line `--`.
  private static func answers(_ typed: [String], _ script: (String) -> String) throws -> [String: [String]] {
    let lines = "'" + typed.joined(separator: "\n") + "'"
    let run = try Program.shell(script(lines))
    #expect(run.errors.isEmpty, "\(run.errors)")
    let found = run.output.components(separatedBy: "\n--\n").dropLast()
    try #require(found.count == typed.count, "\(found.count) answers to \(typed.count) lines")
    return Dictionary(
      zip(typed, found.map { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) })
    ) { $1 }
  }

  private static func bashAnswers(_ lines: String) -> String {
    """
    compopt() { left="$left$* "; }
    source <(slipcast completions bash)
    slipcast_path='\(Program.path)'
    while IFS= read -r line; do
      # bash divides words at blanks and signs of equality.
      line=${line//=/ = }
      read -r -a COMP_WORDS <<< "$line"
      [[ $line == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      left= COMPREPLY=()
      _slipcast "$slipcast_path" "${COMP_WORDS[COMP_CWORD]}" ''
      echo "$left"; printf '%s\\n' "${COMPREPLY[@]}" --
    done <<< \(lines)
    """
  }

  @Test func bashOffersWhatTheTableHolds() throws {
    let answers = try Self.answers(Self.lines.map(\.typed), Self.bashAnswers)
    // The first line of an answer is what bash leaves to readline.
    for line in Self.lines { check(line, (answers[line.typed] ?? []).dropFirst().filter { !$0.isEmpty }) }
  }

  /// What readline completes.
  static let left: [(typed: String, kind: String)] = [
    ("slipcast convert ", "-o bashdefault -o default"), ("slipcast convert --root ", "-o bashdefault -o default"),
    ("slipcast convert --to=", "-o bashdefault -o default"), ("slipcast convert --mappings ", "-o dirnames"),
    ("slipcast diff -- --", "-o bashdefault -o default"), ("slipcast identity ", "-o dirnames"),
    ("slipcast convert --jobs ", ""), ("slipcast parity ", ""), ("slipcast manual ", ""),
  ]

  @Test func bashCompletesFilesAndFoldersWhereTheyBelong() throws {
    let answers = try Self.answers(Self.left.map(\.typed), Self.bashAnswers)
    for (typed, kind) in Self.left {
      let left = (answers[typed]?.first ?? "").trimmingPrefix("+o bashdefault +o default +o dirnames")
      #expect(left.trimmingCharacters(in: .whitespaces) == kind, "\(typed)")
    }
  }

  // MARK: fish

  @Test(.enabled(if: Tool.isThere("fish"), "fish is not installed"))
  func fishOffersWhatTheTableHolds() throws {
    let answers = try Self.answers(Self.lines.map(\.typed), Self.fishAnswers)
    for line in Self.lines {
      check(line, words(answers[line.typed] ?? []).map { $0.replacing(#/^--emit=/#, with: "") })
    }
  }

  private static func fishAnswers(_ lines: String) -> String {
    """
    export HOME=$(mktemp -d); export PATH="$(dirname '\(Program.path)'):$PATH"
    slipcast completions fish > "$HOME/slipcast.fish"
    fish --no-config -c 'source $HOME/slipcast.fish
      while read -l line; complete -C "$line"; printf "\\n--\\n"; end' <<< \(lines)
    rm -r "$HOME"
    """
  }

  private func words(_ answer: [String]) -> [String] {
    answer.filter { !$0.isEmpty }.map { $0.split(separator: "\t").first.map(String.init) ?? "" }
  }

  @Test(.enabled(if: Tool.isThere("fish"), "fish is not installed"))
  func fishCompletesFilesAndFoldersWhereTheyBelong() throws {
    try Workplace.with { place in
      try place.write("in/file.json", "")
      let path = place.url.path + "/in"
      let offering = ["convert", "convert --root", "diff a"]
      let silent = ["convert --jobs", "convert --mappings", "parity", "identity"]
      let answers = try Self.answers((offering + silent).map { "slipcast \($0) \(path)/" }, Self.fishAnswers)
      for start in offering + silent {
        let offers = words(answers["slipcast \(start) \(path)/"] ?? []).contains("\(path)/file.json")
        #expect(offers == offering.contains(start), "\(start)")
      }
    }
  }

  // MARK: zsh

  /// Completes each line of its input in an interactive zsh, which keeps what its builtin `compadd` is given to offer.
  private static let zsh = #"""
    zmodload zsh/zpty
    zpty z zsh -f -i
    ask() { zpty -w z "$1"; zpty -r z reply "*$2*"; }
    ask "PS1= PS2= RPS1=; unsetopt zle_bracketed_paste 2>/dev/null; echo re''ady" ready
    ask "autoload -Uz compinit; compinit -u -d $HOME/dump; source $HOME/_slipcast; echo sour''ced" sourced
    zpty -w z 'compadd() {
      if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
      local -a offered; builtin compadd -O offered "$@"
      (( $#offered )) && print -rl -- $offered >> $HOME/offered
      builtin compadd "$@"
    }; finish() { print -n > $HOME/done }; zle -C offer complete-word offer_all
    offer_all() { _main_complete; compstate[insert]=; compstate[list]=; finish }; bindkey "^I" offer; echo def''ined'
    zpty -r z reply '*defined*'
    while IFS= read -r line; do
      rm -f $HOME/done $HOME/offered
      zpty -n -w z $'\025'"$line"$'\t'
      for ((i = 0; i < 1000; i++)); do [[ -e $HOME/done ]] && break; zpty -r -t z reply; sleep 0.01; done
      [[ -e $HOME/done ]] || print -u2 "zsh gave no answer to $line"
      cat $HOME/offered 2> /dev/null; print "\n--"
    done
    zpty -d z
    """#

  private static func zshAnswers(_ lines: String) -> String {
    """
    export HOME=$(mktemp -d); export PATH="$(dirname '\(Program.path)'):$PATH"
    slipcast completions zsh > "$HOME/_slipcast"
    zsh -f -c '\(zsh.replacing("'", with: "'\\''"))' <<< \(lines)
    rm -r "$HOME"
    """
  }

  @Test(.enabled(if: Tool.isThere("zsh"), "zsh is not installed"))
  func zshOffersWhatTheTableHolds() throws {
    let answers = try Self.answers(Self.lines.map(\.typed), Self.zshAnswers)
    for line in Self.lines {
      check(line, words(answers[line.typed] ?? []).map { $0.replacing(#/^--emit=/#, with: "") })
    }
  }
}
