"""Teaches the heads of guard.onnx for injection short orders, harmless ones and attacks.

usage: train_orders.py GUARD_ONNX OUTPUT_FOLDER [--epochs 2] [--scale 1.0] [--hold-out SOURCE,SOURCE ...]
What they say of all else (rows of the earlier training, planted instructions, toxicity) is to stay as it is. With --hold-out sources are left out of this stage alone, and nothing is written.
"""
import argparse
import re

import numpy as np
import onnx
from onnx import numpy_helper

import build
import export
import train_encoder
import train_guard
import train_toxicity

SEED, SHARE, RATE = 31, 0.4, 1e-3
ORDERS = 5000


class Windows(train_encoder.Windows):
    """Only short orders are learnt, and only whether they are attacks: of all else the heads are to say what they said before."""

    def __init__(self, session, rows):
        super().__init__(session, rows)
        learnt = np.array([row.source == "orders" for row in rows])
        self.targets = np.full_like(self.labels, np.nan)
        self.targets[learnt, 0] = self.labels[learnt, 0]


def head_of(model, name):
    """The weights of a head in the graph."""
    values = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer if i.name.startswith(name)}

    def dense(part):
        return {"w": values[f"{name}{part}_w"], "b": values[f"{name}{part}_b"]}

    def convolution(part):
        kernel = values[f"{name}{part}_q"].astype(np.float32) * values[f"{name}{part}_s"][:, None, None]
        return {"w": kernel.transpose(2, 1, 0).reshape(-1, len(kernel)), "b": values[f"{name}{part}_b"]}

    return {"project": dense("project"), "conv": [convolution("conv0"), convolution("conv1")], "token": dense("token"), "head": dense("head")}


def heads_of(model):
    names = sorted({m[0] for i in model.graph.initializer if (m := re.match(r"h\d+_", i.name))})
    return [head_of(model, name) for name in names]


def as_before(head, start, windows):
    """The head with its last layer fitted to what `start` says of toxicity in the windows: dropout moves that, too."""
    width, first = len(head["head"]["w"]), train_toxicity.TOXICITY
    pooled = train_encoder.logits_of({**head, "head": {"w": np.eye(width, dtype=np.float32), "b": np.zeros(width, np.float32)}}, windows.features)
    inputs = np.concatenate([pooled, np.ones((len(pooled), 1))], 1).astype(np.float64)
    layer = np.concatenate([head["head"]["w"], head["head"]["b"][None]]).astype(np.float64)
    away = train_encoder.logits_of(start, windows.features)[:, first:] - inputs @ layer[:, first:]
    square = inputs.T @ inputs
    layer[:, first:] += np.linalg.solve(square + 1e-4 * np.trace(square) / width * np.eye(width + 1), inputs.T @ away)
    return {**head, "head": {"w": layer[:-1].astype(np.float32), "b": layer[-1].astype(np.float32)}}


def replaced(model, heads):
    """The graph with other heads in place of its own; those for toxicity alone stay."""
    out = onnx.ModelProto()
    out.CopyFrom(model)
    graph, g = out.graph, export.Builder()
    for i, one in enumerate(heads):
        g.prefix = f"h{i}_"
        export.head(g, train_toxicity.VECTORS, "mask", one)
    others = [n for n in graph.node if not re.match(r"h\d+_", n.output[0])]
    after = [n for n in others if n.output[0] == "logits" or re.match(r"t\d*_", n.output[0])]
    before = [n for n in others if n not in after]
    kept = [i for i in graph.initializer if not re.match(r"h\d+_", i.name)]
    for field, values in (("node", before + g.nodes + after), ("initializer", kept + g.inits)):
        graph.ClearField(field)
        getattr(graph, field).extend(values)
    onnx.checker.check_model(out)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("guard")
    parser.add_argument("folder")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--hold-out", action="append", default=[])
    args = parser.parse_args()
    model = onnx.load(args.guard)
    share = SHARE * args.scale
    windows = Windows(train_encoder.open_model(train_toxicity.encoder_of(model)), build.examples(SEED, (), share, orders_count=int(ORDERS / SHARE)))
    print(len(windows.rows), "windows", int(windows.features.starts[-1]), "tokens", flush=True)

    def heads(held=()):
        return [as_before(train_encoder.train(windows, held, args.epochs, SEED + at, rate=RATE, start=one), one, windows) for at, one in enumerate(heads_of(model))]

    for held in args.hold_out:
        print("left out:", held)
        train_guard.measure_left_out(train_encoder.open_model(replaced(model, heads(held.split(",")))), held.split(","))
    if not args.hold_out:
        train_guard.write(args.folder, replaced(model, heads()))


if __name__ == "__main__":
    main()
