"""How clients and servers of models talk: one dialect, one file."""
