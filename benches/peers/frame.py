"""A parquet file in memory, as the Python peers want it."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


class Frame:
    def __init__(self, path: str):
        # Read column by column, as a frame holds it.
        read = pq.read_table(path, use_threads=False)
        self.target = read["y"].to_numpy()
        features = read.drop_columns(["y"])
        self.is_text = [pa.types.is_string(t) or pa.types.is_large_string(t) for t in features.schema.types]
        self.columns = {
            name: features[name].to_numpy() for name in features.column_names
        }

    def matrix(self, dtype, order: str) -> np.ndarray:
        """All features as numbers; texts by their rank, nulls as NaN."""
        rows = len(self.target)
        X = np.empty((rows, len(self.columns)), dtype, order)
        for i, (values, text) in enumerate(zip(self.columns.values(), self.is_text)):
            X[:, i] = np.unique(values, return_inverse=True)[1] if text else values
        return X
