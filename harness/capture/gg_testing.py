"""pytest plugin: a distributed function against its sequential original, in a test. `pytest -p gg_testing` with this folder on PYTHONPATH.

    from gg_testing import assert_refines

    def test_mlp(tmp_path):
        assert_refines(sequential=mlp, distributed=mlp_tp, args=args, mesh={"tp": 4}, placements={"w": ("tp", 1)}, folder=tmp_path)

torch: `mesh` is a dict of axes, other options are those of gg_torch.pair (gg_torch beside this file). JAX: `mesh` is a jax Mesh, `args` a
tuple, in_specs and out_specs as for shard_map (gg_jax.py). Proved passes. Refuted fails with the report and the folder of the witness. Unknown
fails unless allow_unknown="why"; assumptions beyond finite inputs, ranges and indices in bounds fail unless allow_assumptions=["..."]. Where indices that the
sequential function counts from the end are left out of what is proved, it passes with a warning that names them (ranges= decides them).

--gg-harness PATH (or $GG_HARNESS, or gg-harness on PATH): skipped with a reason where there is none. --gg-keep FOLDER keeps the cases.
Tests marked gg_slow are left out unless --gg-slow is given. Nothing is shared between tests, so xdist may run them side by side.
"""
import json
import os
import re
import shutil
import subprocess
import tempfile
import warnings

import pytest

ASSUMED = ("finite-inputs", "range", "in-bounds", "point-to-point-order")
_options = {}


def pytest_addoption(parser):
    group = parser.getgroup("gg-harness")
    group.addoption("--gg-harness", help="the program (default: $GG_HARNESS, or gg-harness on PATH)")
    group.addoption("--gg-keep", help="keep the captured cases in this folder")
    group.addoption("--gg-slow", action="store_true", help="also run tests marked gg_slow")


def pytest_configure(config):
    config.addinivalue_line("markers", "gg_slow: takes minutes; run with --gg-slow")
    _options.update(tool=config.getoption("--gg-harness"), keep=config.getoption("--gg-keep"), slow=config.getoption("--gg-slow"))


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("gg_slow") and not _options["slow"]:
            item.add_marker(pytest.mark.skip(reason="gg_slow: run with --gg-slow"))


def program():
    """The path of gg-harness; skips the test where there is none."""
    found = _options.get("tool") or os.environ.get("GG_HARNESS") or shutil.which("gg-harness")
    if not found or not os.path.exists(found):
        pytest.skip("gg-harness was not found: --gg-harness PATH")
    return os.path.abspath(found)


def assert_refines(*, sequential, distributed, args, mesh, folder=None, allow_unknown=None, allow_assumptions=(), **options):
    """Captures both, decides, and fails with the report where the distributed function is not proved; see above. Returns the folder of the case."""
    tool = program()
    name = re.sub(r"\W+", "-", os.environ.get("PYTEST_CURRENT_TEST", "case").split("::")[-1].split(" ")[0])
    folder = os.path.join(_options["keep"], name) if _options.get("keep") else os.path.join(str(folder or tempfile.mkdtemp()), "case")
    if isinstance(mesh, dict):
        import gg_torch
        gg_torch.pair(sequential, distributed, args, mesh, folder, **options)
    else:
        import gg_jax
        gg_jax.capture_pair(sequential, distributed, args, mesh, folder=folder, **options)
    report_file = os.path.join(folder, "report.json")
    done = subprocess.run([tool, "check", folder, "--witness", os.path.join(folder, "witness"), "--json", report_file], capture_output=True, text=True)
    report = (done.stdout + done.stderr).strip()
    last = done.stdout.strip().splitlines()[-1:] or ["error"]
    verdict = last[0].split()[0]
    if verdict == "unknown" and allow_unknown:
        return folder
    if verdict != "proved":
        script = "replay_torch.py" if isinstance(mesh, dict) else "replay.py"
        again = f"\nto run it again: python3 {os.path.join(folder, 'witness', script)}" if verdict == "refuted" else ""
        pytest.fail(f"{report}{again}", pytrace=False)
    with open(report_file) as text:
        found = json.load(text)
    for assumption in found["assumptions"]:
        if assumption["kind"] not in (*ASSUMED, *allow_assumptions):
            pytest.fail(f"proved only under '{assumption['kind']}({', '.join(assumption['arguments'])})': {last[0]}", pytrace=False)
    if "from-end" in found["details"]:
        told = [line for line in report.splitlines() if "counted from the end" in line or "which the proof does not cover" in line]
        warnings.warn("\n".join(told), stacklevel=2)
    return folder
