"""MCP: a memory for clients of the Model Context Protocol, over standard streams or HTTP."""
