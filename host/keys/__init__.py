"""Keys: verifying frames, encrypting the master key, judges' codes; imports archive and below."""
