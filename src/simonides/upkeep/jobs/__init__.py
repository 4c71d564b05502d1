"""Jobs, one file each: they read, and plan; what they plan the runner applies."""
