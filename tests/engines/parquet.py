"""The rows of a case as parquet files: what writes them differs in types and statistics."""

import polars as pl
import pyarrow.parquet


def series(name, dtype, cells):
    """A column of Polars of the model's dtype; the cells are texts."""
    kind, _, inner = dtype.replace("μ", "u").rstrip("]").partition("[")

    def known(read):
        return [None if cell is None else read(cell) for cell in cells]

    if kind[0] in "iu" and kind[1:].isdigit():
        return pl.Series(name, known(int), dtype=getattr(pl, {"i": "Int", "u": "UInt"}[kind[0]] + kind[1:]))
    if kind[0] == "f" and kind[1:].isdigit():
        return pl.Series(name, known(float), dtype=pl.Float64).cast(getattr(pl, "Float" + kind[1:]))
    texts = pl.Series(name, cells, dtype=pl.String)
    match kind:
        case "null":
            return pl.Series(name, cells, dtype=pl.Null)
        case "bool":
            return pl.Series(name, known(lambda cell: cell == "true"), dtype=pl.Boolean)
        case "decimal":
            return texts.cast(pl.Decimal(*map(int, inner.split(","))))
        case "date":
            return texts.str.to_date("%Y-%m-%d")
        case "time":
            return texts.str.to_time("%H:%M:%S%.f")
        case "duration":
            return pl.Series(name, known(int), dtype=pl.Int64).cast(pl.Duration(inner))
        case "datetime":
            unit, _, zone = inner.partition(", ")
            times = texts.str.strip_suffix("+00").str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit=unit)
            return times.dt.replace_time_zone("UTC").dt.convert_time_zone(zone) if zone else times
        case "cat":
            return texts.cast(pl.Categorical)
        case "enum":
            return texts.cast(pl.Enum(texts.drop_nulls().unique(maintain_order=True)))
        case "str":
            return texts
    raise ValueError(dtype)


def written(case, place, connection):
    """Write the rows of a case, which stand in table `t` too; give the paths."""
    # DuckDB writes integers of 128 bits as floats, Polars as bytes.
    if any(column["dtype"] in ("i128", "u128") for column in case["columns"]):
        return []
    columns = [
        series(column["name"], column["dtype"], [row[at] for row in case["rows"]])
        for at, column in enumerate(case["columns"])
    ]
    frame = pl.DataFrame([pl.Series("nr", range(len(case["rows"])), dtype=pl.Int32), *columns])
    paths = {name: f"{place}/{name}.parquet" for name in ("polars", "pyarrow", "duckdb")}
    frame.write_parquet(paths["polars"])
    pyarrow.parquet.write_table(frame.to_arrow(), paths["pyarrow"])
    connection.execute(f"copy t to '{paths['duckdb']}' (format parquet)")
    return list(paths.values())
