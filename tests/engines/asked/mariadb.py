"""A MariaDB server."""

import pymysql


class MariaDb:
    """A connection to the server of a socket; with `backslash=off` one whose backslashes escape nothing."""

    def __init__(self, connection):
        socket, _, backslash = connection.partition(" backslash=")
        self.connection = pymysql.connect(unix_socket=socket, user="root", charset="utf8mb4", autocommit=True)
        cursor = self.connection.cursor()
        modes = "STRICT_TRANS_TABLES" + (",NO_BACKSLASH_ESCAPES" if backslash == "off" else "")
        cursor.execute(f"set sql_mode = '{modes}'")
        cursor.execute("create database if not exists gaintree")
        cursor.execute("use gaintree")
        cursor.execute("select version()")
        self.version = f"{cursor.fetchone()[0]}, sql_mode {modes}"

    def ask(self, case):
        quoted = ["`" + c["name"].replace("`", "``") + "`" for c in case["columns"]]
        types = [c["mysql"] for c in case["columns"]]
        cursor = self.connection.cursor()
        columns = ", ".join(map(" ".join, zip(quoted, types)))
        # A collation that takes much for equal.
        cursor.execute(f"create or replace temporary table t (nr int, {columns}) character set utf8mb4 collate utf8mb4_general_ci")
        cursor.execute("set time_zone = '+00:00'")
        marks = ", ".join(["%s"] * (len(types) + 1))
        rows = [[at, *map(field, types, row)] for at, row in enumerate(case["rows"])]
        cursor.executemany(f"insert into t values ({marks})", rows)
        cursor.execute("set time_zone = '-05:00'")
        # Without parameters the text goes to the server as it is.
        cursor.execute("select " + ",\n".join(case["mysql"]) + " from t order by nr")
        found = [list(row) for row in cursor.fetchall()]
        if case["predicts"] == "bool":
            found = [[bool(first), *rest] for first, *rest in found]
        yield "t", found


def field(sql_type, text):
    if text is None or text == "NaN":
        return None
    if sql_type.startswith("boolean"):
        return text == "true"
    return text.removesuffix("+00") if sql_type.startswith("timestamp") else text
