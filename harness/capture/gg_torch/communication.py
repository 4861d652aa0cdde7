"""The functional collectives and messages of a graph's rank: computed among threads of one process, or by gloo with one process a rank."""
import threading

import torch
import torch.distributed as dist

from .errors import ApartError

_C10D = torch.ops._c10d_functional


class Threads:
    """Collectives among the threads of one process: every member of a group leaves its tensor and takes all of them. ApartError where they do not meet."""

    def __init__(self, world):
        self.lock, self.slots, self.alive, self.blocked = threading.Condition(), {}, set(range(world)), {}

    def take(self, key, ready):
        """Waits until `ready`; if every thread that is left waits for another one, they do not meet."""
        with self.lock:
            self.blocked[threading.get_ident()] = ready
            try:
                while not ready():
                    if len(self.blocked) == len(self.alive) and not any(other() for other in self.blocked.values()):
                        raise ApartError(f"ranks do not meet: one waits for {key}, the others for other things")
                    self.lock.wait()
            finally:
                del self.blocked[threading.get_ident()]

    def all(self, rank, group, count, value):
        key, members = (*group, count), group[1]
        with self.lock:
            self.slots.setdefault(key, {})[rank] = value
            self.lock.notify_all()
        self.take(key, lambda: all(m in self.slots[key] or m not in self.alive for m in members))
        missing = [m for m in members if m not in self.slots[key]]
        if missing:
            raise ApartError(f"ranks {missing} end without the collective number {count} of group '{group[0]}' {list(members)} that rank {rank} waits in")
        return [self.slots[key][m] for m in members]

    def put(self, key, value):
        with self.lock:
            self.slots.setdefault(key, []).append(value)
            self.lock.notify_all()

    def get(self, key):
        self.take(key, lambda: self.slots.get(key) or not {key[1]} & self.alive)
        if not self.slots.get(key):
            raise ApartError(f"nothing was sent to rank {key[2]} from rank {key[1]} with tag {key[3]}")
        return self.slots[key].pop(0)

    def leave(self, rank):
        with self.lock:
            self.alive.discard(rank)
            self.lock.notify_all()


_REDUCE = {"sum": torch.add, "avg": torch.add, "max": torch.maximum, "min": torch.minimum, "product": torch.mul, "band": torch.bitwise_and, "bor": torch.bitwise_or}


class Computed:
    """Functional collectives of one rank, computed from what the members hold; groups: {name: ranks, or a partition of them}, `*` for every other name."""

    def __init__(self, threads, rank, groups):
        self.threads, self.rank, self.groups, self.counts = threads, rank, groups, {}

    def members(self, name):
        entry = self.groups.get(name, self.groups.get("*", [self.rank]))
        if entry and isinstance(entry[0], list):
            entry = next(g for g in entry if self.rank in g)
        return entry

    def all(self, kind, x, name):
        """The ranks of a group, and what each of them hands over to its next collective, which must be the same one."""
        members = tuple(self.members(name))
        self.counts[name, members] = self.counts.get((name, members), 0) + 1
        there = self.threads.all(self.rank, (name, members), self.counts[name, members], (kind, x))
        like = lambda value: (value[0], None if kind == "all_to_all_single" else value[1].shape)
        for other, value in zip(members, there):
            if like(value) != like((kind, x)):
                raise ApartError(f"rank {self.rank} calls {kind} where rank {other} calls {value[0]}, or hands over another shape")
        return members, [value for _, value in there]

    def all_reduce(self, x, op, name):
        return self.reduced("all_reduce", x, op, name)

    def reduced(self, kind, x, op, name):
        members, xs = self.all(f"{kind}({op})", x, name)
        total = xs[0].clone()
        for y in xs[1:]:
            total = _REDUCE[op](total, y)
        return total / len(members) if op == "avg" else total

    def all_gather_into_tensor(self, x, size, name):
        return torch.cat([y.reshape(1) if y.dim() == 0 else y for y in self.all("all_gather_into_tensor", x, name)[1]])

    def reduce_scatter_tensor(self, x, op, size, name):
        return self.reduced("reduce_scatter_tensor", x, op, name).chunk(size)[list(self.members(name)).index(self.rank)].clone()

    def all_to_all_single(self, x, out_splits, in_splits, name):
        members, parts = self.all("all_to_all_single", list(x.split(list(in_splits))), name)
        return torch.cat([part[members.index(self.rank)] for part in parts])

    def broadcast(self, x, source, name):
        return self.all("broadcast", x, name)[1][source].clone()

    def isend(self, x, peer, tag, name):
        self.threads.put(("send", self.rank, peer, tag), x)
        return x

    def irecv(self, x, peer, tag, name):
        return self.threads.get(("send", peer, self.rank, tag))

    def shard_dim_alltoall(self, x, gather_dim, shard_dim, name):
        members, xs = self.all("shard_dim_alltoall", x, name)
        return torch.cat([y.chunk(len(members), shard_dim)[members.index(self.rank)] for y in xs], gather_dim)


class Gloo(Computed):
    """The same by the collectives of torch.distributed, one process a rank."""

    def __init__(self, rank, groups, world):
        super().__init__(None, rank, groups)
        wanted = sorted({tuple(g) for entry in groups.values() for g in (entry if isinstance(entry[0], list) else [entry])} | {tuple(range(world))})
        self.sent = []
        self.made = {members: dist.new_group(list(members)) for members in wanted}

    def functional(self, op, x, *args):
        name = self.made[tuple(self.members(args[-1]))].group_name
        return _C10D.wait_tensor(getattr(_C10D, op)(x.contiguous(), *args[:-1], name))

    def reduced(self, kind, x, op, name):
        total = self.functional("all_reduce", x, "sum" if op == "avg" else op, name)
        return total / len(self.members(name)) if op == "avg" else total

    def all_gather_into_tensor(self, x, size, name):
        return self.functional("all_gather_into_tensor", x.reshape(1) if x.dim() == 0 else x, size, name)

    def all_to_all_single(self, x, out_splits, in_splits, name):
        return self.functional("all_to_all_single", x, list(out_splits), list(in_splits), name)

    def broadcast(self, x, source, name):
        return self.functional("broadcast", x, source, name)

    def isend(self, x, peer, tag, name):
        kept = x.contiguous()
        self.sent.append((dist.isend(kept, peer, tag=tag), kept))  # kept until it has arrived
        return x

    def irecv(self, x, peer, tag, name):
        y = torch.empty_like(x)
        dist.recv(y, peer, tag=tag)
        return y

    def shard_dim_alltoall(self, x, gather_dim, shard_dim, name):
        n = len(self.members(name))
        return torch.cat(list(self.all_to_all_single(torch.stack(x.chunk(n, shard_dim)), [1] * n, [1] * n, name)), gather_dim)
