"""The pytest plugin on tests that use it (the example that frameworks copy among them): `python3 plugin.py TEST_FILE... GG_HARNESS`. Skipped (77) without torch or pytest."""
import importlib.util
import sys

if importlib.util.find_spec("torch") is None or importlib.util.find_spec("pytest") is None:
    print("1 file skipped: no pytest beside torch (scripts/venv.sh torch-extra)")
    sys.exit(77)
import pytest  # noqa: E402

sys.exit(pytest.main(["-q", "-p", "gg_testing", "-p", "no:cacheprovider", *sys.argv[1:-1], "--gg-harness", sys.argv[-1]]))
