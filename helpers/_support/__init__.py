"""What the rest of helpers is built on; chapters import nothing from here."""
