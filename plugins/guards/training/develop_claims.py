"""Development figures of the cross-encoder of claims, of the features of claims alone, and of both, on what is kept away from training.

usage: develop_claims.py OUT/claims.onnx [--rows 6000] [--save FILE]   (SALLYPORT_TRAIN, SALLYPORT_CORPORA; with SALLYPORT_EVAL also the labelled set)
Both regressions are fitted on training rows that the development figures do not have; --rows of them. --save keeps rows and scores (a pickle).
"""
import argparse
import os
import pickle
import random

import numpy as np

import data
import encoder
import evaluate
import pairs
import perturbed
import train_claims
import train_factuality
import windows

MADE = 1200  # claims made of packages and of references
CROSS = "cross_encoder"
FREE = 4.0  # its weight in the regression is held back less, by this factor squared


def held(rng):
    """Pairs by the name of their set."""
    rows = pairs.rows(held=True)
    yield "templates", list(pairs.templated(rng, 1.0, held=True))
    yield "packages", pairs.made(rng, pairs.package_documents(held=True), MADE)
    yield "references, made", pairs.made(rng, pairs.reference_documents(held=True), MADE)
    yield "begin", [pair for pair in rows if pair.source.startswith("begin")]
    yield "wice", [pair for pair in rows if "wice" in pair.source]
    if os.environ.get("SALLYPORT_EVAL"):
        yield "labelled", [pairs.Pair(row["reference"], row["claim"], [row["label"], pairs.NAN], "labelled", row["label3"], row["claim_id"]) for row in data.eval_rows("factuality")]


def training_rows(count):
    """Rows as train_factuality.py has them, without those of held references."""
    rows = [row for row in data.train_rows("factuality") if not pairs.is_held(pairs.of_row(row).group)]
    rows += perturbed.planted(rows) + perturbed.perturbed(rows)
    return data.shuffled(rows, 11)[:count]


def logits(session, encode, texts, batch=16):
    """Of (reference, claim) the logits that the reference supports and that it contradicts the claim (pairs × 2)."""
    ids = [encode(reference, claim, encoder.SEP)[0] for reference, claim in texts]
    order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
    out = np.zeros((len(ids), len(pairs.OUTPUTS)))
    for at in range(0, len(order), batch):
        part = order[at:at + batch]
        out[part] = session.run(None, dict(zip(("input_ids", "attention_mask"), windows.padded([ids[i] for i in part]))))[0]
    return out


class Scores:
    """The three scores of pairs: the cross-encoder's, that of the features, and that of both."""

    def __init__(self, model, count):
        self.session, self.encode = windows.open_model(model), train_claims.pair_encoder()
        self.table = train_factuality.word_table(data.train_rows("factuality"), train_factuality.WordVectors())
        rows = training_rows(count)
        labels, weights = np.array([row["label"] for row in rows]), train_factuality.row_weights(rows)
        features, cross = self.inputs([(row["reference"], row["claim"]) for row in rows])
        train_factuality.RARE[CROSS] = FREE
        self.lexical = train_factuality.Head().fit(features, labels, weights)
        self.both = train_factuality.Head().fit(np.column_stack([features, cross]), labels, weights, [*train_factuality.claims.NAMES, CROSS])

    def inputs(self, texts):
        features = np.array([train_factuality.claims.features(reference, claim, self.table) for reference, claim in texts])
        return features, logits(self.session, self.encode, texts)[:, 0]

    def __call__(self, texts):
        features, cross = self.inputs(texts)
        return {"cross-encoder": cross, "features": self.lexical(features), "both": self.both(np.column_stack([features, cross]))}


def report(name, rows, scores):
    """Flagging what is not supported: a false alarm is a supported claim."""
    wrong = np.array([1 - pair.label for pair in rows])
    for how, values in scores.items():
        evaluate.line(f"{name}, {how}", wrong, -values)
    for how, values in scores.items():
        threshold = np.quantile(values[wrong == 0], 0.1)
        kinds = sorted({pair.kind for pair in rows if not pair.label})
        caught = {kind: [value < threshold for pair, value in zip(rows, values) if not pair.label and pair.kind == kind] for kind in kinds}
        print(f"   {how}, caught at 10 %: " + ", ".join(f"{kind} {np.mean(own):.2f} of {len(own)}" for kind, own in caught.items()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--rows", type=int, default=6000)
    parser.add_argument("--save")
    args = parser.parse_args()
    score, kept = Scores(args.model, args.rows), []
    for name, rows in held(random.Random(5)):
        scores = score([(pair.reference, pair.claim) for pair in rows])
        report(name, rows, scores)
        kept.append((name, rows, scores))
    if args.save:
        with open(args.save, "wb") as file:
            pickle.dump(kept, file)


if __name__ == "__main__":
    main()
