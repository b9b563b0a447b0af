"""Spark, in one process."""

from itertools import repeat

import pyarrow as pa
import pyspark
from pyspark.sql import SparkSession


class Spark:
    def __init__(self, _):
        settings = {
            "spark.ui.enabled": "false",
            "spark.sql.timeType.enabled": "true",
            "spark.sql.session.timeZone": "America/New_York",
            # Rows of this process are to go through the code that it generates for those of a table.
            "spark.sql.optimizer.excludedRules": "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation",
        }
        builder = SparkSession.builder.master("local[1]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")
        self.version = "Spark " + pyspark.__version__

    def ask(self, case):
        at = range(len(case["rows"]))
        types = [c["spark"] for c in case["columns"]]
        columns = zip(*case["rows"])
        cells = {f"c{i}": pa.array(map(field, repeat(t), c), pa.string()) for i, (t, c) in enumerate(zip(types, columns))}
        rows = self.session.createDataFrame(pa.table({"nr": pa.array(at, pa.int32()), **cells}))
        quoted = ["`" + c["name"].replace("`", "``") + "`" for c in case["columns"]]
        casts = (f"CAST(c{i} AS {t}) AS {name}" for i, (t, name) in enumerate(zip(types, quoted)))
        rows.selectExpr("nr", *casts).createOrReplaceTempView("t")
        found = self.session.sql("SELECT nr, " + ",\n".join(case["spark"]) + " FROM t").collect()
        yield "t", [list(row)[1:] for row in sorted(found, key=lambda row: row[0])]


def field(sql_type, text):
    return f"{text}:00" if text is not None and sql_type == "TIMESTAMP_LTZ" else text
