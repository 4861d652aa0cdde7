"""What test scripts have in common: programs that are run, and how many passed."""
import shlex
import subprocess

REFUSED = "the checker did not accept"  # gather_proof.cpp: a certificate that the search believed in


def counted(results):
    """Prints problems of (name, problem or None) and how many passed; the exit code."""
    passed = failed = 0
    for name, problem in results:
        passed, failed = passed + (not problem), failed + bool(problem)
        if problem:
            print(f"FAIL {name!r}: {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def answer(command, code, text, **how):
    """The problem, if any: another exit code, output without the text, or a certificate that the search believed in and the checker did not."""
    run = subprocess.run(command, capture_output=True, text=True, **how)
    output = run.stdout + run.stderr
    if REFUSED in output:
        return f"a certificate is refused\n{output}"
    return None if run.returncode == code and text in output else f"exit {run.returncode}, expected {code} and {text!r}\n{output}"


def table(program, text, places, **how):
    """Runs lines `exit code | arguments | text that must appear`; the exit code."""
    rows = [[part.strip() for part in line.split("|", 2)] for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return counted((arguments, answer([program, *shlex.split(arguments.format(**places))], int(code), wanted, **how)) for code, arguments, wanted in rows)
