"""ONNX Runtime."""

import onnx
import onnxruntime

from inputs import cells


class Onnx:
    """The answers to all rows in one run."""

    def __init__(self, _):
        self.check = lambda model: onnx.checker.check_model(onnx.load_from_string(model), full_check=True)
        onnxruntime.set_default_logger_severity(4)
        self.session = onnxruntime.InferenceSession
        self.version = "ONNX Runtime " + onnxruntime.__version__

    def ask(self, case):
        model = bytes.fromhex(case["onnx"])
        self.check(model)
        session = self.session(model, providers=["CPUExecutionProvider"])
        columns = {column["name"]: at for at, column in enumerate(case["columns"])}
        feed = {}
        for slot in [*session.get_inputs(), *session.get_overridable_initializers()]:
            name = slot.name if slot.name in columns else slot.name.removesuffix("__missing")
            texts = [row[columns[name]] for row in case["rows"]]
            feed[slot.name] = cells(case["columns"][columns[name]]["dtype"], texts, slot)
        found = session.run(None, feed)
        names = [output.name for output in session.get_outputs()]
        answers = [list(of) for of in zip(*(found[names.index(n)].tolist() for n in ("prediction", "leaf_id")))]
        if "probabilities" in names:
            for answer, shares in zip(answers, found[names.index("probabilities")].tolist()):
                answer.extend(shares)
        yield "onnx", answers
