#!/usr/bin/env python3
"""Strangers at the door of a job: 12 kinds of connections, before and while the ranks meet, and while they work, to rank 0 and to a rank behind it; bytes of a true
rank that were recorded and are said again; true ranks that then lie. The job ends with the verdict of the local run, or names the rank that is lost; nobody is
sent anything but a nonce.

usage: sockets.py PROGRAM ROOT      closing line: N passed, M failed. Only the loopback is used.
"""
import os
import secrets
import socket
import struct
import sys
import tempfile
import threading
import time

import hostile
from door import INTRODUCTION, RIGHT, STRANGERS, THREE, WRONG, Job, Wire, connect, introduction, working


def visit(job, strangers, said, before, port=None):
    """Lets strangers in, to rank 0 or to this port; `said` gets what they are told beyond the nonce."""
    def talk(name):
        try:
            with connect(port or job.port, time.time() + 10) as s:
                said[name] = STRANGERS[name](s, job.token.encode())
        except OSError:
            said[name] = b""
    threads = [threading.Thread(target=talk, args=(name,)) for name in strangers]
    for thread in threads:
        thread.start()
        if before == "in order":
            time.sleep(0.05)
    return threads


def meeting(program, folder, case, code, groups):
    """Strangers come before the true ranks meet."""
    for group in groups:
        job, said = Job(program, folder, case), {}
        job.start(0)
        threads = visit(job, group, said, "in order")
        time.sleep(0.1)
        begun = time.time()
        job.start(1)
        got, out, err = job.end(0)
        job.end(1)
        seconds = time.time() - begun
        for thread in threads:
            thread.join(20)
        told = {k: v for k, v in said.items() if v}
        yield (f"{case}: {', '.join(group) if len(group) < 3 else 'all of them'}",
               None if got == code and not told and seconds < 15 else f"exit code {got} after {seconds:.1f} s, told {told}: {out}{err}")


def flood(program, folder):
    """Silence takes no place."""
    job = Job(program, folder, "right")
    job.start(0)
    many = [connect(job.port, time.time() + 10) for _ in range(400)]
    begun = time.time()
    job.start(1)
    got, out, err = job.end(0)
    job.end(1)
    yield "400 silent connections", None if got == 2 and time.time() - begun < 15 else f"exit code {got}: {err}"
    for s in many:
        s.close()


def lost_rank(program, folder):
    """The true rank never comes, or is of another job."""
    job = Job(program, folder, "right", "2")
    job.start(0)
    threads = visit(job, ["a wrong token", "garbage"], {}, "in order")
    got, out, err = job.end(0)
    yield "a lost rank is named", None if got == 2 and "rank 1 did not arrive" in err and "GG_JOB_TOKEN" in err else f"exit code {got}: {out}{err}"
    for thread in threads:
        thread.join(20)
    job = Job(program, folder, "right")
    job.start(0)
    job.command[job.command.index("20")] = "2"
    job.start(1, "e" * 32)
    got, out, err = job.end(1)
    yield "a rank of another job", None if got == 2 and "token" in err else f"exit code {got}: {err}"
    job.ranks[0].kill()
    job.end(0)


def places(program, folder):
    """Tokens and addresses with which nothing starts."""
    for token in ("", "short", "0" * 31):
        job = Job(program, folder, "right")
        job.start(0, token)
        got, out, err = job.end(0)
        yield f"a token of {len(token)} characters", None if got == 3 and "GG_JOB_TOKEN" in err and not out else f"exit code {got}: {out}{err}"
    job = Job(program, folder, "right")
    job.start(0, MASTER_ADDR="192.0.2.1")
    got, out, err = job.end(0)
    yield "another host without --listen", None if got == 3 and "--listen" in err else f"exit code {got}: {err}"
    for address in ("nowhere.invalid", "999.1.1.1", "192.0.2.1"):
        job = Job(program, folder, "right", "2")
        job.command += ["--listen", address]
        job.start(0)
        got, out, err = job.end(0)
        yield f"--listen {address}", None if got in (2, 3) and "address" in err else f"exit code {got}: {err}"


def said_to(port, data):
    """What somebody is told beyond the nonce who says just this."""
    with connect(port, time.time() + 10) as s:
        s.settimeout(10)
        nonce = read_exactly(s, 16)
        try:
            s.sendall(data)
            return nonce, s.recv(65536)
        except OSError:
            return nonce, b""


def recorded(program, folder):
    """What a true rank said on a wire, said again to the same job while it waits for another rank, and to the next job with the same token."""
    job = Job(program, folder, "three", size=3)
    job.start(0)
    wire = Wire(job.port)
    job.start(1, **wire.environment())
    wire.wait_for(INTRODUCTION)
    words = bytes(wire.heard[:INTRODUCTION])
    told = [said_to(job.port, words), said_to(job.port, words)]
    nonces = {nonce for nonce, _ in told}
    job.start(2)
    got, out, err = job.end(0)
    job.end(1)
    job.end(2)
    good = got == 2 and "agrees-only" in out and len(words) == INTRODUCTION and len(nonces) == 2 and not any(answer for _, answer in told)
    yield "a recorded introduction, to the same job", None if good else f"exit code {got}, told {told}: {out}{err}"
    for name, data in (("a recorded introduction", words), ("all that was recorded", wire.heard)):
        later = Job(program, folder, "three", size=3)
        later.token = job.token
        later.start(0)
        told = said_to(later.port, data)
        later.start(1)
        later.start(2)
        got, out, err = later.end(0)
        later.end(1)
        later.end(2)
        yield f"{name}, to a job with the same token", None if got == 2 and "agrees-only" in out and not told[1] else f"exit code {got}, told {told}: {out}{err}"


def behind(program, folder):
    """Strangers at the port of rank 1, which waits for rank 2."""
    for name in ("all of them", "400 silent ones"):
        job, said = Job(program, folder, "three", size=3), {}
        job.start(0)
        job.start(1)
        until, doors = time.time() + 10, []
        while not doors and time.time() < until:
            doors = [port for port, state in sockets_of(job.ranks[1].pid) if state == LISTENS]
        kinds = name == "all of them"
        threads = visit(job, list(STRANGERS), said, "in order", doors[0]) if kinds else []
        silent_ones = [] if kinds else [connect(doors[0], time.time() + 10) for _ in range(400)]
        begun = time.time()
        job.start(2)
        got, out, err = job.end(0)
        job.end(1)
        job.end(2)
        seconds = time.time() - begun
        for thread in threads:
            thread.join(20)
        for s in silent_ones:
            s.close()
        told = {k: v for k, v in said.items() if v}
        yield f"at rank 1: {name}", None if got == 2 and "agrees-only" in out and not told and seconds < 15 else f"exit code {got} after {seconds:.1f} s, told {told}: {out}{err}"


def squatter(program, folder):
    """Somebody else listens where rank 0 should: the rank that comes is told nothing that it believes, and says whom it misses."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        heard = []

        def answer():
            try:
                while True:
                    s, _ = door.accept()
                    with s:
                        s.sendall(secrets.token_bytes(16))
                        heard.append(read_exactly(s, INTRODUCTION))
                        s.sendall(secrets.token_bytes(32) + b"\0" * 64)
            except OSError:
                pass
        threading.Thread(target=answer, daemon=True).start()
        job = Job(program, folder, "right", "2")
        job.port = door.getsockname()[1]
        job.start(1)
        got, out, err = job.end(1)
        secret = job.token.encode()
        good = got == 2 and "rank 0" in err and "token" in err and heard and not any(secret in words for words in heard)
        yield "a stranger in the place of rank 0", None if good else f"exit code {got}: {out}{err}"
        job.start(0)
        got, out, err = job.end(0)
        yield "the port of rank 0 is taken", None if got == 2 and "MASTER_PORT" in err else f"exit code {got}: {out}{err}"


LISTENS = "0A"  # of /proc/net/tcp


def sockets_of(pid):
    """Ports that a process and its children have open."""
    ports = set()
    for child in [pid, *map(int, open(f"/proc/{pid}/task/{pid}/children").read().split())]:
        inodes = set()
        try:
            files = os.listdir(f"/proc/{child}/fd")
            lines = open(f"/proc/{child}/net/tcp").read().splitlines()[1:]
        except OSError:  # a child that has ended
            continue
        for fd in files:
            try:
                inodes.add(os.readlink(f"/proc/{child}/fd/{fd}"))
            except OSError:
                pass
        for line in lines:
            row = line.split()
            if f"socket:[{row[9]}]" in inodes:
                ports.add((int(row[1].split(":")[1], 16), row[3]))
    return ports


def at_work(program, folder, case):
    """A job in the middle of its first collective: rank 1 has sent its part, which waits in the wire."""
    job = Job(program, folder, case)
    job.start(0)
    wire = Wire(job.port, open_gate=False)
    job.start(1, **wire.environment())
    wire.wait_for(INTRODUCTION + 1)
    return job, wire


def during(program, folder, case, code):
    """Strangers while the ranks work: nobody listens then, whatever port of theirs is tried; the verdict is that of the local run."""
    (job, wire), told = at_work(program, folder, case), {}
    for name, stranger in STRANGERS.items():
        refused, listening = 0, set()
        for port, state in {one for process in job.ranks.values() for one in sockets_of(process.pid)}:
            listening |= {port} if state == LISTENS else set()
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=2) as s:
                    s.settimeout(2)
                    told[name] = stranger(s, job.token.encode())
            except OSError:
                refused += 1
        working = all(process.poll() is None for process in job.ranks.values())
        good = working and refused >= 2 and not listening and not told.get(name)
        yield f"during {case}: {name}", None if good else f"working {working}, refused {refused}, listening {listening}, told {told}"
    wire.gate.set()
    got, out, err = job.end(0)
    job.end(1)
    yield f"the verdict of {case} after them", None if got == code else f"exit code {got}: {out}{err}"


def killed(program, folder):
    """A rank that ends at work."""
    job, wire = at_work(program, folder, "long-right")
    job.ranks[1].kill()
    wire.gate.set()
    got, out, err = job.end(0)
    yield "a rank that is killed at work is named", None if got == 2 and "rank 1" in err and out.startswith("unknown") else f"exit code {got}: {out}{err}"
    job.end(1)


def listeners(program, folder):
    """Who can reach a job that waits: the loopback only."""
    job = Job(program, folder, "right")
    job.start(0)
    connect(job.port, time.time() + 10).close()
    wanted = f"{job.port:04X}"
    rows = [line.split()[1] for line in open("/proc/net/tcp").read().splitlines()[1:] if line.split()[3] == "0A"]
    where = {row.split(":")[0] for row in rows if row.split(":")[1] == wanted}
    yield "it listens on the loopback only", None if where == {"0100007F"} else f"it listens on {where}"
    job.ranks[0].kill()
    job.end(0)


def read_exactly(s, count):
    data = b""
    while len(data) < count:
        piece = s.recv(count - len(data))
        if not piece:
            return data
        data += piece
    return data


def impostors(program, folder):
    """A rank that knows the token and then says something else: its frames are checked against the program."""
    def frame(kind, size, data):
        return struct.pack("<QQ", kind, size) + data
    replies = {"an empty reply": frame(2, 0, b""), "one byte": frame(2, 1, b"x"), "half a reply": frame(2, 8, b"\0" * 8), "a longer reply": frame(2, 64, b"\0" * 64),
               "2^60 bytes": frame(2, 1 << 60, b"\0" * 4096), "another kind": frame(9, 8, b"\0" * 8), "gone": b"", "half a frame": struct.pack("<QQ", 2, 24)[:10],
               "2^64 - 1 bytes": frame(2, (1 << 64) - 1, b"\0" * 64)}
    for name, reply in replies.items():
        job = Job(program, folder, "right", "2")
        job.start(0)
        begun = time.time()
        with connect(job.port, time.time() + 10) as s:
            s.settimeout(20)
            nonce = read_exactly(s, 16)
            s.sendall(introduction(job.token.encode(), nonce))
            read_exactly(s, 32 + 2 * 8)
            try:
                s.sendall(reply)
                if not reply:
                    s.shutdown(socket.SHUT_RDWR)
                else:
                    while s.recv(65536):
                        pass
            except OSError:
                pass
        got, out, err = job.end(0)
        seconds = time.time() - begun
        good = got == 2 and "rank 1" in err and out.startswith("unknown") and seconds < 6
        yield f"a rank with {name}", None if good else f"exit code {got} after {seconds:.1f} s: {out}{err}"


def main(program, root):
    names = [[name] for name in STRANGERS]
    groups = [(during, "long-wrong", 1), (during, "long-right", 2), (killed,), (meeting, "right", 2, names + [list(STRANGERS), ["silent"]]), (impostors,), (lost_rank,),
              (squatter,), (recorded,), (behind,), (places,), (flood,), (meeting, "wrong", 1, [["silent"]]), (listeners,)]
    with tempfile.TemporaryDirectory() as folder:
        hostile.write(folder, {**RIGHT, **WRONG, **THREE, **working("long-right", "sine"), **working("long-wrong", "cosine")})
        return hostile.tally(hostile.side_by_side([lambda test=test, more=more: test(program, folder, *more) for test, *more in groups]))


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2]))
