"""The Python peers, one class each: what they take, how they fit, what came out.

`fit` is what is timed: from a matrix (or columns) in memory to a fitted model, any dataset
object of the peer's own included; importing it is not. Settings make the problem the same: one tree, on all rows and
columns, no shrinkage, no regularisation, a leaf as small as one row.
"""

import numpy as np

from frame import Frame

# Deeper than any tree here, for peers that want a number.
DEEP = 1000


class ScikitLearn:
    def __init__(self):
        from sklearn import tree

        self.trees = tree

    def prepare(self, frame: Frame, job):
        return frame.matrix(np.float32, "F"), frame.target

    def fit(self, data, job):
        if job.classes == 0:
            tree = self.trees.DecisionTreeRegressor(max_depth=job.depth, random_state=0)
            return tree.fit(*data)
        tree = self.trees.DecisionTreeClassifier(
            criterion=job.criterion, max_depth=job.depth, random_state=0
        )
        return tree.fit(*data)

    def nodes(self, model, job):
        return model.tree_.node_count

    def predict(self, model, data):
        return model.predict(data[0])


class OneDal:
    """Through daal4py, which gives oneDAL's own parameters."""

    method = "defaultDense"

    def __init__(self):
        import daal4py

        self.daal = daal4py

    def prepare(self, frame: Frame, job):
        self.daal.daalinit(job.threads)
        return frame.matrix(np.float64, "F"), frame.target.astype(np.float64).reshape(-1, 1)

    def fit(self, data, job):
        training = self.daal.decision_forest_classification_training(
            nClasses=job.classes,
            method=self.method,
            nTrees=1,
            featuresPerNode=data[0].shape[1],
            maxTreeDepth=job.depth or 0,
            minObservationsInLeafNode=1,
            minObservationsInSplitNode=2,
            observationsPerTreeFraction=1.0,
            impurityThreshold=0.0,
            bootstrap=False,
        )
        return training.compute(*data).model

    def nodes(self, model, job):
        return self.daal.getTreeState(model, 0, job.classes).node_count

    def predict(self, model, data):
        classes = int(data[1].max()) + 1
        predicting = self.daal.decision_forest_classification_prediction(nClasses=classes)
        return predicting.compute(data[0], model).prediction.ravel()


class OneDalHistogram(OneDal):
    method = "hist"


class SnapMl:
    use_histograms = False

    def __init__(self):
        import snapml

        self.trees = snapml

    def prepare(self, frame: Frame, job):
        return frame.matrix(np.float32, "C"), frame.target

    def fit(self, data, job):
        number = job.classes == 0
        kind = self.trees.DecisionTreeRegressor if number else self.trees.DecisionTreeClassifier
        tree = kind(
            max_depth=job.depth,
            n_jobs=job.threads,
            use_histograms=self.use_histograms,
            random_state=0,
        )
        return tree.fit(*data)

    def nodes(self, model, job):
        return None  # not told

    def predict(self, model, data):
        return model.predict(data[0])


class SnapMlHistogram(SnapMl):
    use_histograms = True


class XgBoost:
    """One round of boosting from p = 0.5 without regularisation: a tree by Gini."""

    tree_method = "exact"

    def __init__(self):
        import xgboost

        self.xgboost = xgboost

    def prepare(self, frame: Frame, job):
        kinds = ["c" if text else "q" for text in frame.is_text]
        return frame.matrix(np.float32, "C"), frame.target, kinds

    def fit(self, data, job):
        X, y, kinds = data
        settings = {
            "tree_method": self.tree_method,
            "max_depth": DEEP if job.depth is None else job.depth,
            "nthread": job.threads,
            "eta": 1.0,
            "lambda": 0.0,
            "min_child_weight": 0.0,
            "base_score": 0.5,
            "objective": "binary:logistic",
            "verbosity": 0,
        }
        if job.classes > 2:
            settings |= {"objective": "multi:softprob", "num_class": job.classes}
        if job.classes == 0:
            settings |= {"objective": "reg:squarederror", "base_score": float(y.mean())}
        matrix = self.xgboost.DMatrix(
            X, y, feature_types=kinds, enable_categorical=True, nthread=job.threads
        )
        return self.xgboost.train(settings, matrix, num_boost_round=1), matrix

    def nodes(self, model, job):
        return sum(tree.count("\n") for tree in model[0].get_dump())

    def predict(self, model, data):
        return answers(model[0].predict(model[1]), data[1])


class XgBoostHistogram(XgBoost):
    tree_method = "hist"


class LightGbm:
    def __init__(self):
        import lightgbm

        self.lightgbm = lightgbm

    def prepare(self, frame: Frame, job):
        texts = [i for i, text in enumerate(frame.is_text) if text]
        return frame.matrix(np.float32, "C"), frame.target, texts

    def fit(self, data, job):
        X, y, texts = data
        settings = {
            "objective": "multiclass" if job.classes > 2 else "binary",
            "num_leaves": min(2 ** (job.depth or 17), 2**17),
            "max_depth": job.depth or -1,
            "learning_rate": 1.0,
            "min_data_in_leaf": 1,
            "min_sum_hessian_in_leaf": 0.0,
            "num_threads": job.threads,
            "verbosity": -1,
        }
        if job.classes > 2:
            settings["num_class"] = job.classes
        if job.classes == 0:
            settings["objective"] = "regression"
        rows = self.lightgbm.Dataset(X, y, categorical_feature=texts or "auto", params=settings)
        return self.lightgbm.train(settings, rows, num_boost_round=1)

    def nodes(self, model, job):
        return sum(2 * tree["num_leaves"] - 1 for tree in model.dump_model()["tree_info"])

    def predict(self, model, data):
        return answers(model.predict(data[0]), data[1])


class Ydf:
    def __init__(self):
        import ydf

        self.ydf = ydf

    def prepare(self, frame: Frame, job):
        return frame.columns | {"y": frame.target}

    def fit(self, data, job):
        learner = self.ydf.CartLearner(
            label="y",
            max_depth=DEEP if job.depth is None else job.depth + 1,  # its root has depth 1
            min_examples=1,
            validation_ratio=0.0,
            max_vocab_count=-1,
            min_vocab_frequency=1,
            num_threads=job.threads,
        )
        return learner.train(data, verbose=0)

    def nodes(self, model, job):
        return model.num_nodes()

    def predict(self, model, data):
        return answers(model.predict(data), data["y"])


def answers(probabilities: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The most likely classes; numbers as they are."""
    if np.issubdtype(target.dtype, np.floating):
        return probabilities
    if probabilities.ndim == 1:
        return probabilities > 0.5
    return probabilities.argmax(axis=1)


LEARNERS = {
    "sklearn": ScikitLearn,
    "onedal": OneDal,
    "onedal-hist": OneDalHistogram,
    "snapml": SnapMl,
    "snapml-hist": SnapMlHistogram,
    "xgboost": XgBoost,
    "xgboost-hist": XgBoostHistogram,
    "lightgbm": LightGbm,
    "ydf": Ydf,
}
