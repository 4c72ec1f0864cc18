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

  /// What bash would offer, and what it would leave to readline.
  private func bash(_ typed: String) throws -> (words: [String], left: String) {
    let run = try Program.shell(
      """
      compopt() { left="$left$* "; }
      source <(slipcast completions bash)
      slipcast_path='\(Program.path)'
      # bash divides words at blanks and signs of equality.
      line='\(typed)'; line=${line//=/ = }
      read -r -a COMP_WORDS <<< "$line"
      [[ $line == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      left= COMPREPLY=()
      _slipcast "$slipcast_path" "${COMP_WORDS[COMP_CWORD]}" ''
      echo "$left"; printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(run.errors.isEmpty, "\(run.errors)")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return (lines.dropFirst().filter { !$0.isEmpty }, lines.first ?? "")
  }

  @Test(arguments: lines)
  func bashOffersWhatTheTableHolds(_ line: Line) throws { check(line, try bash(line.typed).words) }

  @Test(arguments: [
    ("slipcast convert ", "-o bashdefault -o default"), ("slipcast convert --root ", "-o bashdefault -o default"),
    ("slipcast convert --to=", "-o bashdefault -o default"), ("slipcast convert --mappings ", "-o dirnames"),
    ("slipcast diff -- --", "-o bashdefault -o default"), ("slipcast identity ", "-o dirnames"),
    ("slipcast convert --jobs ", ""), ("slipcast parity ", ""), ("slipcast manual ", ""),
  ])
  func bashCompletesFilesAndFoldersWhereTheyBelong(_ typed: String, _ kind: String) throws {
    let left = try bash(typed).left.trimmingPrefix("+o bashdefault +o default +o dirnames")
    #expect(left.trimmingCharacters(in: .whitespaces) == kind)
  }

  // MARK: fish

  @Test(.enabled(if: Tool.isThere("fish"), "fish is not installed"), arguments: lines)
  func fishOffersWhatTheTableHolds(_ line: Line) throws {
    check(line, try fish(line.typed).map { String($0).replacing(#/^--emit=/#, with: "") })
  }

  private func fish(_ typed: String) throws -> [String] {
    let run = try Program.shell(
      """
      export HOME=$(mktemp -d); export PATH="$(dirname '\(Program.path)'):$PATH"
      slipcast completions fish > "$HOME/slipcast.fish"
      fish --no-config -c 'source $HOME/slipcast.fish; complete -C "\(typed)"'; rm -r "$HOME"
      """)
    #expect(run.errors.isEmpty, "\(run.errors)")
    return run.output.split(separator: "\n").map { $0.split(separator: "\t").first.map(String.init) ?? "" }
  }

  @Test(.enabled(if: Tool.isThere("fish"), "fish is not installed"))
  func fishCompletesFilesAndFoldersWhereTheyBelong() throws {
    try Workplace.with { place in
      try place.write("in/file.json", "")
      let path = place.url.path + "/in"
      func offers(_ words: String) throws -> Bool {
        try fish("slipcast \(words) \(path)/").contains("\(path)/file.json")
      }
      for words in ["convert", "convert --root", "diff a"] { #expect(try offers(words), "\(words)") }
      for words in ["convert --jobs", "convert --mappings", "parity", "identity"] {
        #expect(!(try offers(words)), "\(words)")
      }
    }
  }

  // MARK: zsh

  /// Completes a line in an interactive zsh, which prints what its builtin `compadd` is given to offer.
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
    zpty -n -w z "$LINE"$'\t'
    for ((i = 0; i < 200; i++)); do [[ -e $HOME/done ]] && break; zpty -r -t z reply; sleep 0.05; done
    [[ -e $HOME/done ]] || print -u2 "zsh gave no answer"
    zpty -d z
    """#

  @Test(.enabled(if: Tool.isThere("zsh"), "zsh is not installed"), arguments: lines)
  func zshOffersWhatTheTableHolds(_ line: Line) throws {
    let run = try Program.shell(
      """
      export HOME=$(mktemp -d) LINE='\(line.typed)'; export PATH="$(dirname '\(Program.path)'):$PATH"
      slipcast completions zsh > "$HOME/_slipcast"
      zsh -f -c '\(Self.zsh.replacing("'", with: "'\\''"))' > /dev/null
      cat "$HOME/offered" 2> /dev/null; rm -r "$HOME"
      """)
    #expect(run.errors.isEmpty, "\(run.errors)")
    check(line, run.output.split(separator: "\n").map { String($0).replacing(#/^--emit=/#, with: "") })
  }
}
