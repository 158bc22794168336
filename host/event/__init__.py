"""The fold of an event's records, and what is read from it; imports archive, systems and below."""
