"""What the package shows: every public name has an example, and the stubs say what is there."""

from __future__ import annotations

import ast
import ctypes
import importlib
import inspect
import pkgutil
from functools import cached_property
from pathlib import Path

import pytest

import gaintree
from gaintree import _gaintree
from gaintree._plugin import LIBRARY

MEMBERS = (property, cached_property, classmethod, staticmethod)


def modules():
    """The package and its modules with public names; `sklearn` only if scikit-learn is there."""
    found = [gaintree]
    for known in pkgutil.walk_packages(gaintree.__path__, "gaintree."):
        try:
            found.append(importlib.import_module(known.name))
        except ModuleNotFoundError as error:
            if not error.name.startswith("sklearn"):
                raise
    return [it for it in found if hasattr(it, "__all__") and it is not _gaintree]


def members(kind):
    """The public members of a class, of those it inherits from the package too."""
    for base in kind.__mro__:
        for name, member in vars(base).items() if base.__module__.startswith("gaintree") else ():
            if not name.startswith("_") and (inspect.isfunction(member) or type(member) in MEMBERS):
                yield name, member


def documented():
    """Every public function, class, method and property, by name."""
    found = {}
    for module in modules():
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isfunction(thing) or inspect.isclass(thing):
                found[f"{thing.__module__}.{name}"] = thing.__doc__
            for member, it in members(thing) if inspect.isclass(thing) else ():
                found[f"{thing.__module__}.{name}.{member}"] = it.__doc__
    return found


def test_every_public_name_has_an_example():
    docs = documented()
    assert {"gaintree.tree.Tree.n_leaves", "gaintree.expressions.GainNamespace.info"} < docs.keys()
    assert [name for name, doc in docs.items() if ">>> " not in (doc or "")] == []


def test_every_public_name_is_listed():
    for module in modules()[1:]:
        defined = {
            name
            for name, thing in vars(module).items()
            if not name.startswith("_")
            and (inspect.isfunction(thing) or inspect.isclass(thing))
            and thing.__module__ == module.__name__
        }
        assert defined <= set(module.__all__), module.__name__
    for name in gaintree.__all__:
        assert hasattr(gaintree, name), name


def test_the_stubs_say_what_the_native_module_has():
    stub = ast.parse(Path(_gaintree.__file__).with_name("_gaintree.pyi").read_text())
    assert said(stub.body) == had(vars(_gaintree))
    for kind in (node for node in stub.body if isinstance(node, ast.ClassDef)):
        assert said(kind.body) == had(vars(getattr(_gaintree, kind.name)))


def said(body):
    """The names of a stub; of functions with their parameters."""
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    names = {node.name: [arg.arg for arg in node.args.args] for node in functions}
    names |= {node.name: None for node in body if isinstance(node, ast.ClassDef)}
    names |= {node.target.id: None for node in body if isinstance(node, ast.AnnAssign)}
    return {name: names[name] for name in sorted(names) if name[0] != "_"}


def had(namespace):
    """The same of a native module or class."""

    def parameters(thing):
        thing = thing.__func__ if isinstance(thing, staticmethod) else thing
        return list(inspect.signature(thing).parameters) if inspect.isroutine(thing) else None

    return {name: parameters(namespace[name]) for name in sorted(namespace) if name[0] != "_"}


def test_the_plugin_says_its_version():
    # Polars asks for it first, and refuses a major version that it does not know.
    library = ctypes.CDLL(str(LIBRARY))
    version = library._polars_plugin_get_version
    version.argtypes, version.restype = [], ctypes.c_uint32
    assert divmod(version(), 2**16) == (0, 1)


@pytest.mark.parametrize("name", ["info_gain", "predict", "woe"])
def test_the_plugin_is_a_file_with_functions(name):
    assert LIBRARY.is_file()
    library = ctypes.CDLL(str(LIBRARY))
    assert hasattr(library, f"_polars_plugin_{name}")
    assert hasattr(library, f"_polars_plugin_field_{name}")
