"""The fold of an event's records, and queries on it; imports archive, systems and below."""
