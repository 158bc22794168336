"""Printed pages: lists for the wall, result slips for the tables, the report on rolls."""
