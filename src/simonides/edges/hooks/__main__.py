"""Call a hook as agents do: `python -m simonides.edges.hooks AGENT EVENT`."""

from simonides.edges.hooks.call import main

main()
