"""The program that serves an event from a terminal; imports desk, reports, collector and below."""
