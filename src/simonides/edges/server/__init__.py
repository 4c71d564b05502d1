"""One server for people and agents: REST, MCP, a page, and the doors of the proxy."""
