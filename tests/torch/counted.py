"""What the tests of torch end with."""


def counted(results):
    """Prints problems of (name, problem or None) and how many passed; the exit code."""
    passed = failed = 0
    for name, problem in results:
        passed, failed = passed + (not problem), failed + bool(problem)
        if problem:
            print(f"FAIL {name!r}: {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
