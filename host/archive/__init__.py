"""The archive: tables, orders, notices, audit log, access links and the master key beside it;
imports base.
"""
