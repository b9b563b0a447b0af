"""How the site shows `**options`: one by one in the signature, described where they are listed."""

import griffe


class Signatures(griffe.UnpackTypedDictExtension):
    def on_function(self, *, func: griffe.Function, **kwargs: object) -> None:
        sections = func.docstring.parsed if func.docstring else []
        lists = [s.value for s in sections if s.kind is griffe.DocstringSectionKind.parameters]
        described = [list(parameters) for parameters in lists]
        super().on_function(func=func, **kwargs)
        # Without the options that the docstring does not describe.
        for parameters, own in zip(lists, described, strict=True):
            parameters[:] = own
