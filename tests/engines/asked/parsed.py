"""Engines that do not run here: their SQL is parsed, and no answer is asked for."""

import sqlglot
from sqlglot import exp

DIALECTS = {"sqlserver": "tsql"}


class Parsed:
    how_wrong = "not parsed"

    def __init__(self, engine):
        self.engine = engine
        self.dialect = DIALECTS.get(engine, engine)
        self.version = f"{engine}, not run, parsed by sqlglot {sqlglot.__version__}"

    def ask(self, case):
        names = {column["name"] for column in case["columns"]}
        for sql in case[self.engine]:
            parsed = sqlglot.parse(f"SELECT {sql} AS answer FROM t", dialect=self.dialect)
            if len(parsed) != 1 or len(parsed[0].selects) != 1:
                raise ValueError(f"no single expression: {sql}")
            found = {column.name for column in parsed[0].find_all(exp.Column)}
            if not found <= names:
                raise ValueError(f"columns {found - names} are not of the table: {sql}")
        yield "parsed", None
