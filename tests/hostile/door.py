"""Who comes to the door of a job, the job, and a rank's side of its wire; the pairs that the jobs of sockets.py decide."""
import hashlib
import hmac
import os
import secrets
import socket
import struct
import subprocess
import threading
import time

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
