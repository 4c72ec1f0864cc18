// What runs throw for a missing file, a full disk or damaged data, for programs that import this module only.
@_exported public import struct SlipcastSystem.FileError
