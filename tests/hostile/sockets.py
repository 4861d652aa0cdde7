#!/usr/bin/env python3
"""Strangers at the door of a job: 12 kinds of connections, before and while the ranks meet, and while they work, to rank 0 and to a rank behind it; bytes of a true
rank that were recorded and are said again; true ranks that then lie. The job ends with the verdict of the local run, or names the rank that is lost; nobody is
sent anything but a nonce.

usage: sockets.py PROGRAM ROOT      closing line: N passed, M failed. Only the loopback is used.
"""
import hashlib
import hmac
import os
import secrets
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import hostile
import make

TRIPS = 500  # of the loop of a pair that works
MAGIC = 0x67676861727302
GREETING = "<Qiiii"
RIGHT = make.pair(make.identity("f32[4]"), make.identity("f32[2]", header=", num_partitions=2"), '{"mesh": [["d", 2]], "inputs": [[["d"]]], "outputs": [[["d"]]]}', "right")
WRONG = make.pair(make.identity("f32[4]"), make.identity("f32[2]", header=", num_partitions=2").replace("negate", "cosine"),
                  '{"mesh": [["d", 2]], "inputs": [[["d"]]], "outputs": [[["d"]]]}', "wrong")
THREE = make.pair(make.identity("f32[6]"), make.identity("f32[2]", header=", num_partitions=3"), '{"mesh": [["d", 3]], "inputs": [[["d"]]], "outputs": [[["d"]]]}', "three")


def working(name, last):
    """A pair whose ranks talk to each other many times: a loop with an all-reduce in it. `last`: what the distributed program ends with."""
    def text(header, size, reduce, end):
        sum_ = "%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %s = f32[] maximum(%a, %b)\n}\n\n"
        state = f"(s32[], f32[{size}])"
        loop = (f"%body (s: {state}) -> {state} {{\n  %s0 = {state} parameter(0)\n  %i = s32[] get-tuple-element(%s0), index=0\n"
                f"  %v = f32[{size}] get-tuple-element(%s0), index=1\n  %one = s32[] constant(1)\n  %j = s32[] add(%i, %one)\n  %w = f32[{size}] sine(%v)\n"
                f"  %m = f32[{size}] {reduce}\n  ROOT %t = {state} tuple(%j, %m)\n}}\n\n%cond (s: {state}) -> pred[] {{\n  %s1 = {state} parameter(0)\n"
                "  %k = s32[] get-tuple-element(%s1), index=0\n  %n = s32[] constant(@TRIPS@)\n  ROOT %c = pred[] compare(%k, %n), direction=LT\n}\n\n")
        lines = [f"%x = f32[{size}] parameter(0)", "%z = s32[] constant(0)", f"%t0 = {state} tuple(%z, %x)", f"%r = {state} while(%t0), condition=%cond, body=%body",
                 f"%g = f32[{size}] get-tuple-element(%r), index=1", f"ROOT %y = f32[{size}] {end}(%g)"]
        return make.program(lines, f"x: f32[{size}]", f"f32[{size}]", header=header, before=sum_ + loop).replace("@TRIPS@", str(TRIPS))
    return make.pair(text("", 4, "negate(%w)", "sine"), text(", num_partitions=2", 4, "negate(%m0)", last).replace(
        "  %m = ", "  %m0 = f32[4] all-reduce(%w), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum\n  %m = "),
        '{"mesh": [["d", 2]], "inputs": ["replicated"], "outputs": ["replicated"]}', name)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def connect(port, until):
    while time.time() < until:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=2)
        except OSError:
            time.sleep(0.01)
    raise OSError("nobody listens")


def introduction(token, nonce, rank=1, size=2, port=1, to=0, magic=MAGIC, own=None):
    own = own or secrets.token_bytes(16)
    greeting = struct.pack(GREETING, magic, rank, size, port, to)
    return greeting + own + hmac.new(token, b"c" + nonce + own + greeting, hashlib.sha256).digest()


def after_nonce(make_bytes):
    def talk(s, token):
        nonce = s.recv(16)
        s.sendall(make_bytes(nonce))
        return s.recv(65536)
    return talk


def silent(s, token):
    s.settimeout(20)
    s.recv(16)
    return s.recv(65536)  # until the job closes it


def slow(s, token):
    s.recv(16)
    try:
        for k in range(100):
            s.sendall(b"x")
            time.sleep(0.3)
    except OSError:
        pass
    return b""


def in_the_middle(s, token):
    nonce = s.recv(16)
    s.sendall(introduction(b"0" * 32, nonce)[:30])
    return b""


overheard = []


def replayed(s, token):
    """The bytes of the true rank of another job of this token: right in all but the nonce."""
    nonce = s.recv(16)
    s.sendall(introduction(token, overheard[0] if overheard else secrets.token_bytes(16)))
    overheard.append(nonce)
    return s.recv(65536)


WRONG_TOKEN = b"f" * 32
STRANGERS = {
    "silent": silent,
    "slow": slow,
    "gone at once": lambda s, token: b"",
    "gone in the middle": in_the_middle,
    "garbage": after_nonce(lambda nonce: secrets.token_bytes(4096)),
    "HTTP": after_nonce(lambda nonce: b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 10),
    "huge length": after_nonce(lambda nonce: struct.pack("<QQ", 1, 1 << 60) + b"\0" * 8192),
    "the old greeting": after_nonce(lambda nonce: struct.pack("<Qiiii", 0x67676861727301, 1, 2, 1, 0) + b"\0" * 48),
    "a wrong token": after_nonce(lambda nonce: introduction(WRONG_TOKEN, nonce)),
    "no token": after_nonce(lambda nonce: introduction(b"", nonce)),
    "a replayed token": replayed,
    "size 99 and rank -5": after_nonce(lambda nonce: introduction(WRONG_TOKEN, nonce, rank=-5, size=99)),
}


class Job:
    """Ranks, started one by one."""

    def __init__(self, program, folder, case, deadline="20", size=2):
        self.port, self.token, self.folder, self.size = free_port(), secrets.token_hex(16), folder, str(size)
        self.command = [program, "run", case, "--seeds", "1", "--backend", "tcp", "--deadline-seconds", deadline, "--budget-seconds", "30"]
        self.ranks = {}

    def start(self, rank, token=None, **more):
        environment = {**os.environ, "RANK": str(rank), "WORLD_SIZE": self.size, "LOCAL_RANK": str(rank), "LOCAL_WORLD_SIZE": self.size, "MASTER_ADDR": "127.0.0.1",
                       "MASTER_PORT": str(self.port), "GG_JOB_TOKEN": self.token if token is None else token, **more}
        self.ranks[rank] = subprocess.Popen(self.command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def end(self, rank):
        out, err = self.ranks[rank].communicate(timeout=60)
        return self.ranks[rank].returncode, out.decode(), err.decode()


INTRODUCTION = struct.calcsize(GREETING) + 16 + 32


class Wire:
    """Between a true rank and rank 0: passes everything on and keeps what the rank said; what follows its introduction waits for the gate."""

    def __init__(self, port, open_gate=True):
        self.door, self.port, self.heard, self.gate = socket.create_server(("127.0.0.1", 0)), port, bytearray(), threading.Event()
        if open_gate:
            self.gate.set()
        threading.Thread(target=self.carry, daemon=True).start()

    def environment(self):
        """Of the rank that is to speak through it."""
        return {"MASTER_PORT": str(self.door.getsockname()[1])}

    def wait_for(self, count):
        """Until the rank has said so many bytes."""
        until = time.time() + 10
        while len(self.heard) < count and time.time() < until:
            time.sleep(0.01)

    def carry(self):
        near, _ = self.door.accept()
        far = connect(self.port, time.time() + 10)

        def back():
            try:
                while data := far.recv(65536):
                    near.sendall(data)
            except OSError:
                pass
        threading.Thread(target=back, daemon=True).start()
        try:
            while data := near.recv(65536):
                self.heard += data
                if len(self.heard) > INTRODUCTION:
                    self.gate.wait(30)
                far.sendall(data)
        except OSError:
            pass
        far.close()
        near.close()


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
