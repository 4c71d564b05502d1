"""Places of the page, one file each: what is read for it, and its JSON."""
