"""Systems of rules: loads, checks, compiles, explains and draws their tables; imports base."""
