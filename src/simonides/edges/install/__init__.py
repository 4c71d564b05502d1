"""Configuration of clients and agents: what `install` writes there, and nothing else."""
