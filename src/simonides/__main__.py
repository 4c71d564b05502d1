"""`python -m simonides`: the command line."""

from simonides.edges.cli.main import main

if __name__ == "__main__":
    main()
