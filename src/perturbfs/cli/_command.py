"""Turn a function into a command: collect its options, report its errors as sentences."""

from __future__ import annotations

import errno
import inspect
import io
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Annotated, Any

import typer

from ._wording import in_options, option_name

Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]
_DEBUG = inspect.Parameter(
    "debug", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Debug
)


class WrongUseError(Exception):
    """Options of a command are wrong or do not fit together: exit code 2."""


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Return the function as typer takes it, with the option ``--debug``.

    A parameter whose type is a dataclass is replaced by one option per field, so that options
    are declared once and arrive together. Fields may be dataclasses themselves.

    Parameters
    ----------
    function : callable

    Returns
    -------
    run : callable
        Its errors end the program with one sentence and an exit code.
    """
    signature = inspect.signature(function, eval_str=True)

    @wraps(function)
    def run(*, debug: bool = False, **values: Any) -> None:
        with errors_as_sentences(debug=debug):
            function(**_collect(signature, values))

    options = [*_flatten(signature), _DEBUG]
    run.__signature__ = signature.replace(parameters=options)  # type: ignore[attr-defined]
    return run


def _flatten(signature: inspect.Signature) -> Iterator[inspect.Parameter]:
    """Yield the parameters of a signature, with those of each dataclass in its place."""
    for each in signature.parameters.values():
        if _is_group(each.annotation):
            yield from _flatten(inspect.signature(each.annotation, eval_str=True))
        else:
            yield each.replace(kind=inspect.Parameter.KEYWORD_ONLY)


def _collect(signature: inspect.Signature, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a signature, and build its dataclasses from their options."""
    arguments = {}
    for name, each in signature.parameters.items():
        if _is_group(each.annotation):
            inner = inspect.signature(each.annotation, eval_str=True)
            arguments[name] = each.annotation(**_collect(inner, values))
        else:
            arguments[name] = values[name]
    return arguments


def _is_group(annotation: Any) -> bool:
    return is_dataclass(annotation)


def options_in(group: Any) -> dict[str, Any]:
    """Return the options of a group by their names, those of groups in it included."""
    options: dict[str, Any] = {}
    for field in fields(group):
        value = getattr(group, field.name)
        options |= options_in(value) if is_dataclass(value) else {field.name: value}
    return options


def spell(options: Mapping[str, Any]) -> list[str]:
    """Return options as a user types them; those without a value are left out.

    Examples
    --------
    >>> spell({"n_features": 5, "drop_text": True, "index": None, "exclude": ["a", "b*"]})
    ['--n-features', '5', '--drop-text', '--exclude', 'a', '--exclude', 'b*']
    """
    words = []
    for name, value in options.items():
        option = option_name(name)
        if value is True:
            words.append(option)
        elif value is False and name == "features_in_rows":
            words.append("--features-in-columns")
        elif value is False and name == "header":
            words.append("--no-header")
        elif isinstance(value, list):
            words += [word for each in value for word in (option, str(each))]
        elif value is not None and value is not False:
            words += [option, str(value)]
    return words


@contextmanager
def errors_as_sentences(*, debug: bool = False) -> Iterator[None]:
    """Turn errors into one sentence and an exit code; with `debug` let them pass.

    Raises
    ------
    typer.Exit
        After the sentence was printed.
    """
    _tolerate_any_encoding()
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            yield
    except (typer.Exit, typer.BadParameter):
        raise
    except KeyboardInterrupt as error:
        if debug:
            raise
        _fail(str(error) or "Stopped. Nothing was written.", 130)
    except WrongUseError as error:
        _fail(f"Error: {error}", 2)
    except Exception as error:
        if debug:
            raise
        _fail(_describe(error), 1)


def _tolerate_any_encoding() -> None:
    """Show a question mark for a character that the terminal lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _describe(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return "Error: The disk is full, so nothing was written. Free some space and try again."
    if isinstance(error, (ValueError, OSError, ImportError, TypeError)):
        return f"Error: {in_options(str(error))}"
    kind = type(error).__name__
    return f"Error: {kind}: {error}. This is probably a bug in perturbfs; --debug shows where."


def _fail(message: str, code: int) -> None:
    print(message, file=sys.stderr)
    raise typer.Exit(code)


def _show_warning(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
    kind = "Note" if issubclass(category, UserWarning) else category.__name__
    print(f"{kind}: {in_options(str(message))}", file=sys.stderr)
