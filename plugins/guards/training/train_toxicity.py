"""Trains heads for toxicity on the frozen layers of guard.onnx and joins them to it; what it says of injection stays as it is.

usage: train_toxicity.py GUARD_ONNX OUTPUT_FOLDER [--epochs 2] [--seeds 2] [--scale 1.0] [--hold-out SOURCE,SOURCE ...]
Heads of an earlier run in GUARD_ONNX are replaced. With --hold-out the sources are left out and measured, and nothing is written.
"""
import argparse
import os
import random
import re
import tempfile

import numpy as np
import onnx
from onnx import helper

import build
import data
import evaluate
import export
import threats
import train_encoder
import train_guard
import written

VECTORS = "l1_ln2"  # the token vectors in the graph
TOXICITY = build.OUTPUTS.index("toxicity")
CATEGORIES = ("self-harm", "violence", "sexual", "harassment", "hate")
MADE = 2500  # toxic and harmless sentences of threats.py, each
PASSAGES = 900
TYPED = 0.4  # share of the rows of others that are typed otherwise


def encoder_of(model):
    """The frozen layers alone."""
    with tempfile.TemporaryDirectory() as folder:
        whole, part = (os.path.join(folder, name) for name in ("whole.onnx", "part.onnx"))
        onnx.save(model, whole)
        onnx.utils.extract_model(whole, part, ["input_ids", "attention_mask"], [VECTORS])
        return onnx.load(part)


def examples(seed, held, scale):
    """Rows with a label for toxicity alone; what stands in documents has its place."""
    rng = random.Random(seed)
    rows = build.injection(rng, held, scale * 0.8) + build.toxicity(rng, held, scale)
    rows += [row for row in build.documents(rng, held, int(500 * scale), [("", "Tell me a joke.")]) if row.labels[TOXICITY] == 0]
    rows = [build.Example(threats.typed(rng, row.text) if row.parts is None and rng.random() < TYPED else row.text, row.labels, row.weight, row.source, row.parts, None, row.also)
            for row in rows if not np.isnan(row.labels[TOXICITY])]
    for _ in range(int(MADE * scale)):
        text, category = threats.toxic(rng)
        rows.append(build.Example(threats.typed(rng, text), build.labels(toxicity=1, categories=[category]), 1.0, "written"))
        rows.append(build.Example(threats.typed(rng, threats.harmless(rng)), build.labels(toxicity=0), 1.0, "written"))
    hosts = [(name, text) for name, texts in build.host_documents(held).items() if name in ("wice", "begin") for text in texts]
    for at in range(int(PASSAGES * scale)):
        (name, host), (text, category) = rng.choice(hosts), threats.toxic(rng)
        if at % 2:
            category = rng.choice(CATEGORIES)
            text = written.toxic(rng, category)
        harmless = threats.harmless(rng) if at % 2 else written.harmless(rng)
        rows.append(build.Example(host, build.labels(toxicity=1, categories=[category]), 1.0, name, build.plant(rng, host, threats.typed(rng, text)), 1))
        rows.append(build.Example(host, build.labels(toxicity=0), 1.0, name, build.plant(rng, host, harmless)))
    for row in rows:
        row.labels[:TOXICITY] = [build.NAN] * TOXICITY
    rng.shuffle(rows)
    return rows


class Windows(train_encoder.Windows):
    def marks(self, chosen, length):
        """1: token of a toxic passage, 0: of nothing toxic, -1: unknown, or no token."""
        out = np.full((len(chosen), length), -1, np.int32)
        for j, i in enumerate(chosen):
            if self.rows[i].marked == 1 or self.labels[i, TOXICITY] == 0:
                out[j, : self.features.lengths[i]] = 0
            if self.rows[i].marked == 1 and self.spans[i]:
                out[j, 1 + self.spans[i][0]: 1 + self.spans[i][1]] = 1
        return out


def joined(model, heads, alone=False):
    """The graph with more heads, of which only what they say of toxicity counts: as much as the others together, or alone."""
    out = onnx.ModelProto()
    out.CopyFrom(model)
    graph = out.graph
    own = [n.output[0] for n in graph.node if re.fullmatch(r"h\d+_head", n.output[0])]
    nodes = [n for n in graph.node if n.output[0] != "logits" and not re.match(r"t\d*_", n.output[0])]
    names = {name for n in nodes for name in n.input}
    kept = [i for i in graph.initializer if i.name in names]
    g = export.Builder()
    parts = []
    for i, one in enumerate(heads):
        g.prefix = f"t{i}_"
        parts.append(export.head(g, VECTORS, "mask", one))
    g.prefix = "t_"
    first, cut, last, axis = (g.const(name, np.array([value], np.int64)) for name, value in (("first", 0), ("cut", TOXICITY), ("last", len(build.OUTPUTS)), ("axis", 1)))
    mean = g.node("Mean", own, "own")
    new = g.node("Mean", parts, "new")
    toxic = g.node("Slice", [new if alone else g.node("Mean", [mean, new], "both"), cut, last, axis], "toxicity")
    attack = g.node("Slice", [mean, first, cut, axis], "injection")
    g.nodes.append(helper.make_node("Concat", [attack, toxic], ["logits"], axis=1))
    for field, values in (("node", nodes + g.nodes), ("initializer", kept + g.inits)):
        graph.ClearField(field)
        getattr(graph, field).extend(values)
    onnx.checker.check_model(out)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("guard")
    parser.add_argument("folder")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--hold-out", action="append", default=[])
    args = parser.parse_args()
    model = onnx.load(args.guard)
    encoder = train_encoder.open_model(encoder_of(model))
    windows = Windows(encoder, examples(11, set(), args.scale))
    print(len(windows.rows), "windows", int(windows.features.starts[-1]), "tokens", flush=True)

    def heads(held=()):
        return [train_encoder.train(windows, held, args.epochs, seed) for seed in range(11, 11 + args.seeds)]

    for held in args.hold_out:
        print("left out:", held)
        session = train_encoder.open_model(joined(model, heads(held.split(",")), alone=True))
        for name in held.split(","):
            evaluate.held_toxicity(session, [name])
    if not args.hold_out:
        train_guard.write(args.folder, joined(model, heads()))


if __name__ == "__main__":
    main()
