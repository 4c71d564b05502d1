"""Tools of people: a model may ask for them, and its user decides about each call that changes something."""
