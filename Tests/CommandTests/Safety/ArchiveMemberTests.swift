import Foundation
import SlipcastTestSupport
import Testing

/// Files of archives are read, never written: their names lead nowhere, and nothing but files is opened.
@Suite struct ArchiveMemberTests {
  /// Makes `in/a.tar` and `in/a.zip` with members of every kind, one good record in each file.
  private static let pack = """
    import io, tarfile, zipfile
    data = open("in/v1.json", "rb").read()
    names = ["a\\x1b[31m\\u202e\\n.json", "../../up.json", "/tmp/slipcast-absolute.json", "--to", "-.json", "m\\u00e4rz.json", "CON",
             "x" * 300 + ".json", "dir/../../../b.json", "sqlite:x.sqlite", "https://user:word@host/c.json"]
    tar = tarfile.open("in/a.tar", "w", format=tarfile.PAX_FORMAT)
    for name in names:
        entry = tarfile.TarInfo(name); entry.size = len(data); tar.addfile(entry, io.BytesIO(data))
    for kind, name in [(tarfile.SYMTYPE, "link.json"), (tarfile.LNKTYPE, "hard.json"), (tarfile.CHRTYPE, "zero.json"),
                       (tarfile.BLKTYPE, "disk.json"), (tarfile.FIFOTYPE, "pipe.json"), (tarfile.DIRTYPE, "dir.json")]:
        entry = tarfile.TarInfo(name); entry.type = kind; entry.linkname = "/etc/passwd"
        entry.devmajor, entry.devminor = 1, 5; tar.addfile(entry)
    tar.close()
    with zipfile.ZipFile("in/a.zip", "w") as archive:
        for name in names: archive.writestr(name, data)
    """

  @Test(arguments: ["in/a.tar", "in/a.zip"])
  func namesOfMembersLeadNowhere(_ archive: String) throws {
    try Workplace.with { place in
      try place.copyExample()
      try place.write("in/pack.py", Self.pack)
      let run = try place.shell(
        """
        python3 in/pack.py; find . | sort > ../before.$$
        slipcast convert \(archive) | wc -l; slipcast convert --quiet --include '*.json' \(archive) | wc -l
        find . | sort | cmp - ../before.$$ && echo unchanged; rm ../before.$$; ls -d /tmp/slipcast-absolute.json 2>&1
        """)
      // Without the two names that no pattern fits, and the location.
      #expect(run.output.hasPrefix("11\n8\nunchanged\n"), "\(run.output) \(run.errors)")
      #expect(run.output.contains("No such file"))
    }
  }

  /// The names come back in every kind of words, and in none of them they do anything.
  @Test(arguments: [
    "convert", "inspect", "verify --format text", "sign in/id", "timeline --format text",
  ])
  func namesOfMembersAreHarmlessInWords(_ line: String) throws {
    try Workplace.with { place in
      try place.copyExample()
      try place.write(
        "in/pack.py",
        Self.pack.replacing("data = ", with: "data = b'{bad'; open").replacing(
          "open(\"in/v1.json\", \"rb\").read()", with: "(\"in/v1.json\").close()"))
      let run = try place.shell(
        """
        python3 in/pack.py; \(line.hasPrefix("sign") ? "slipcast identity --quiet in/id;" : "")
        slipcast \(line) in/a.tar
        """)
      let said = run.errors + run.output
      #expect(said.contains("[31m"), "\(said)")
      #expect(Tricks.first(in: said) == nil, "\(said.debugDescription)")
    }
  }
}
