"""How fast the course's own code is, beside its peers and the machine's limit."""
