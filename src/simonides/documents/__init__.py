"""Documents: files read, cut into chunks, and compared with what is there."""
