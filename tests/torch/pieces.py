"""What hand-written steps of libraries have in common: the functions around collectives whose gradients are not the collectives' own."""
import torch
import torch.distributed as dist


def ranks():
    return dist.get_world_size(), dist.get_rank()


def leaf(*shape):
    return (0.5 * torch.randn(shape)).requires_grad_()


class Programs(dict):
    """Programs by name: a decorator of functions of what is wrong (0: nothing) that give options of gg_torch.pair."""
    def __call__(self, make):
        self[make.__name__] = make
        return make

    def each(self, *defects):
        """{name: (wanted verdict, options)}: right, and with each defect."""
        return {f"{name}-{defect}": ("refuted" if wrong else "proved", make(wrong)) for name, make in self.items() for wrong, defect in enumerate(("ok", *defects))}


class Copied(torch.autograd.Function):
    """Megatron's f: the value itself; gradients are summed."""
    @staticmethod
    def forward(ctx, x, group=None):
        ctx.group = group
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        dist.all_reduce(g, group=ctx.group)
        return g, None


class Summed(torch.autograd.Function):
    """Megatron's g: the sum over ranks; the gradient itself."""
    @staticmethod
    def forward(ctx, x, group=None):
        x = x.clone()
        dist.all_reduce(x, group=group)
        return x

    @staticmethod
    def backward(ctx, g):
        return g, None


class Gathered(torch.autograd.Function):
    """Rows of all ranks; the gradient of the own ones, summed over ranks."""
    @staticmethod
    def forward(ctx, x):
        n, _ = ranks()
        parts = x.new_empty(n * x.shape[0], *x.shape[1:])
        dist.all_gather_into_tensor(parts, x.contiguous())
        return parts

    @staticmethod
    def backward(ctx, g):
        n, r = ranks()
        own = g.new_empty(g.shape[0] // n, *g.shape[1:])
        dist.reduce_scatter_tensor(own, g.contiguous())
        return own


def summed(tensors):
    for x in tensors:
        dist.all_reduce(x)
    return tensors


class Exchanged(torch.autograd.Function):
    """Block k of the rows goes to rank k; the gradient goes back."""
    @staticmethod
    def forward(ctx, x):
        got = torch.empty_like(x, memory_format=torch.contiguous_format)
        dist.all_to_all_single(got, x.contiguous())
        return got

    @staticmethod
    def backward(ctx, g):
        return Exchanged.apply(g)
