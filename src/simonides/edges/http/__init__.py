"""The proxy: memory for any client of Ollama or OpenAI, between it and the server of its model."""
