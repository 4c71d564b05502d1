"""Memory where agents already are: one module for each framework, which is imported there alone.

Each class takes a `Memory` first. An extra of the module's name brings its framework along: `pip install
simonides[langgraph]`.
"""
