"""Trains the cross-encoder of claims and their evidence, and writes the model and test vectors.

usage: train_claims.py OUT [--epochs 2] [--scale 1.0] [--rate 0.0001]
SALLYPORT_TRAIN: folder of the training rows; SALLYPORT_CORPORA: what corpora.py has written. OUT/claims.pt holds the float weights after each epoch;
`--from OUT/claims.pt` begins with them. Each epoch has claims and texts of its own.
"""
import json
import os
import random

import numpy as np
import onnx
import torch

import data
import encoder
import export
import fitting
import pairs
import train_factuality
import windows


class Drawn:
    """The pairs of an epoch as token ids."""

    def __init__(self, examples, encode):
        self.examples = examples
        read = [encode(pair.reference, pair.claim, encoder.SEP) for pair in examples]
        self.ids, self.spans = [ids for ids, _ in read], [spans for _, spans in read]

    def marks(self, i, length):
        """Of each token of the claim 1: the evidence does not say it, 0: it does; -1: unknown, or no token of the claim."""
        out, wrong = np.full(length, -1, np.float32), self.examples[i].wrong
        if wrong is not None:
            out[1: 1 + len(self.spans[i])] = [any(begin < last and first < end for begin, end in wrong) for first, last in self.spans[i]]
        return out

    def batch(self, chosen):
        ids, mask = (torch.from_numpy(part) for part in windows.padded([self.ids[i] for i in chosen]))
        labels = torch.tensor([self.examples[i].labels for i in chosen], dtype=torch.float32)
        weights = torch.tensor([self.examples[i].weight for i in chosen], dtype=torch.float32)
        return ids, mask, labels, weights, torch.from_numpy(np.stack([self.marks(i, ids.shape[1]) for i in chosen]))


def pair_encoder():
    return pairs.PairEncoder(encoder.load_tokenizer(), train_factuality.word_table(data.train_rows("factuality")))


def calibration(encode, count=320):
    """Batches of training pairs, on which the scales of the inputs are measured."""
    rng = random.Random(7)
    drawn = Drawn(data.shuffled(pairs.examples(rng, 0.03), 7)[:count], encode)
    return [drawn.batch(range(a, min(a + 20, len(drawn.ids))))[:2] for a in range(0, len(drawn.ids), 20)]


def test_pairs():
    rng = random.Random(50)
    made = [(passage, claim) for passage, texts, _ in list(pairs.passages(rng))[::120] for claim, _ in texts]
    long = " ".join(passage for passage, _, _ in list(pairs.passages(rng))[:40])
    return [(reference, claim) for reference, texts in train_factuality.CLAIMS for claim in texts] + made + [(long, made[0][1]), (long, long), ("", "The bridge is old.")]


def write(folder, model, encode):
    path = os.path.join(folder, "claims.onnx")
    onnx.save(export.graph(model, calibration(encode)), path)
    session, tests = windows.open_model(path), []
    for reference, claim in test_pairs():
        ids, mask = windows.padded([encode(reference, claim, encoder.SEP)[0]])
        logits = session.run(None, {"input_ids": ids, "attention_mask": mask})[0][0]
        tests.append({"reference": reference, "claim": claim, "ids": ids[0].tolist(), "logits": [round(float(v), 4) for v in logits]})
    with open(os.path.join(folder, "claims.tests.json"), "w") as file:
        json.dump(tests, file, ensure_ascii=False, indent=1)


def main():
    args = fitting.arguments()
    model, encode = fitting.started(len(pairs.OUTPUTS), args.start, paired=True), pair_encoder()
    fitting.train(model, lambda rng: Drawn(pairs.examples(rng, args.scale), encode), args.epochs, args.rate, os.path.join(args.folder, "claims.pt"), frozen_layers=args.frozen_layers)
    write(args.folder, model, encode)


if __name__ == "__main__":
    main()
