"""The bills of material as read from their CSV files, and their sums for 1, 10 and 50 tables."""
