// Placeholder until the timeline stands here.
