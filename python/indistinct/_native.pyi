from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Optional, Union, final

__all__ = [
    "__version__",
    "Table",
    "command",
    "describe_warnings",
    "anonymize",
    "tables",
    "copy_release",
    "check",
    "profile",
    "advise",
    "compare",
    "init",
    "verify",
    "measure",
    "attack",
    "link",
    "toml_of",
    "json_of",
    "ledger_init",
    "ledger_add",
    "ledger_list",
    "ledger_verify",
    "ledger_remove",
    "ledger_check",
    "plan",
]
__version__: str

_Progress = Optional[Callable[[str, int, int], object]]
_Policy = tuple[str, str, Path]
_Data = Union[Table, str, PathLike[str]]
_Problem = tuple[str, str, Optional[str], Optional[str]]

@final
class Table:
    def __new__(cls, data: Any, name: str) -> Table: ...
    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> list[tuple[str, str]]: ...
    def texts(self) -> list[list[str]]: ...
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

def command(typed: Sequence[str]) -> int: ...
def describe_warnings(facts: str) -> list[str]: ...
def anonymize(
    data: Optional[_Data],
    policy: _Policy,
    directory: Union[str, Path],
    *,
    seed: Optional[int],
    private: Optional[Path],
    force: bool,
    ledger: Optional[Path],
    show_values: bool,
    progress: _Progress,
) -> tuple[str, list[_Problem]]: ...
def tables(directory: Path, like: Optional[Table] = None) -> list[Table]: ...
def copy_release(
    source: Path,
    private_source: Optional[Path],
    target: Path,
    private_target: Optional[Path],
    force: bool,
) -> None: ...
def check(
    data: Optional[_Data], policy: _Policy, *, show_values: bool, progress: _Progress
) -> tuple[str, list[_Problem]]: ...
def profile(
    data: Optional[_Data],
    policy: Optional[_Policy],
    *,
    table: Optional[str],
    query: Optional[str],
    checklist: Optional[str],
    progress: _Progress,
) -> tuple[str, list[_Problem]]: ...
def advise(
    data: Optional[_Data], policy: _Policy, *, show_values: bool, progress: _Progress
) -> tuple[str, list[_Problem], str]: ...
def compare(
    data: Optional[_Data],
    policy: _Policy,
    *,
    k: list[int],
    methods: list[str],
    limits: list[float],
    varied: list[tuple[str, str, list[float]]],
    progress: _Progress,
) -> tuple[str, list[_Problem], str]: ...
def init(
    data: _Data, *, table: Optional[str], query: Optional[str], progress: _Progress
) -> str: ...
def verify(directory: str, *, population: Optional[Path], progress: _Progress) -> str: ...
def measure(
    directory: str,
    original: _Data,
    *,
    policy: Optional[Path],
    queries: Optional[int],
    dimension: Optional[int],
    volume: Optional[float],
    seed: Optional[int],
    target: Optional[str],
    progress: _Progress,
) -> str: ...
def attack(
    directory: str,
    *,
    original: Optional[_Data],
    register: Optional[_Data],
    prior: Optional[_Data],
    prior_weight: Optional[str],
    policy: Optional[Path],
    worlds: Optional[int],
    thresholds: list[str],
    minima: list[str],
    progress: _Progress,
) -> str: ...
def link(
    directories: list[str],
    *,
    originals: list[tuple[int, Path]],
    person: Optional[dict[str, str]],
    sensitive: Optional[str],
    minimum: Optional[str],
    worst: Optional[int],
    show_values: bool,
    progress: _Progress,
) -> str: ...
def plan(
    data: Optional[_Data],
    policy: Optional[_Policy],
    *,
    count: Optional[str],
    probability: Optional[str],
    sensitive: Optional[str],
    quasi_identifiers: list[str],
    fields: dict[str, Any],
    name: str,
    progress: _Progress,
) -> tuple[str, list[tuple[str, str]]]: ...
def ledger_init(path: Path, *, key: Optional[Path]) -> None: ...
def ledger_add(
    path: Path, directory: str, *, name: Optional[str], population: Optional[str]
) -> str: ...
def ledger_list(path: Path) -> str: ...
def ledger_verify(path: Path) -> str: ...
def ledger_remove(path: Path, name: str, reason: str) -> str: ...
def ledger_check(
    path: Path,
    *,
    directory: Optional[str],
    policy: Optional[_Policy],
    data: Optional[_Data],
    minimum: Optional[str],
    original: Optional[Path],
    population: Optional[str],
    progress: _Progress,
) -> str: ...
def toml_of(policy: str) -> str: ...
def json_of(policy: str) -> str: ...
