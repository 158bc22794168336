"""Files of events and of other programs, read and written; imports archive, systems and below."""
