// Placeholder until the stores stand here.
