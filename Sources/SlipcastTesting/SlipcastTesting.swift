// One import for tests: the expectations, and the types that they take and give back.
@_exported import SlipcastComparison
@_exported import SlipcastMapping
@_exported import SlipcastV2
@_exported import SlipcastWire
