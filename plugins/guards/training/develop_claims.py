"""Development figures of the cross-encoder of claims, of the features of claims alone, and of both, on what is kept away from training.

usage: develop_claims.py OUT/claims.onnx [--rows 6000] [--save FILE]   (SALLYPORT_TRAIN, SALLYPORT_CORPORA; with SALLYPORT_EVAL also the labelled set)
The regression over the features is fitted on training rows that the development figures do not have; --rows of them. --save keeps pairs and scores (a pickle).
"""
import argparse
import os
import pickle
import random

import numpy as np

import claims
import data
import encoder
import evaluate
import pairs
import perturbed
import train_claims
import train_factuality
import windows

MADE = 1200  # claims made of packages and of references
WEIGHTS = (0.0, 0.15, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0)  # of the cross-encoder beside the features


def planted(rows):
    """Natural pairs whose reference stands among sentences of a web page, which others of the pairs have."""
    rows = [{"reference": pair.reference, "claim": pair.claim, "label": pair.label, "source": pair.source, "group": pair.group} for pair in rows]
    return [pairs.Pair(row["reference"], row["claim"], [row["label"], pairs.NAN], row["source"], "", row["group"]) for row in perturbed.planted(rows)]


def held(rng):
    """Pairs by the name of their set."""
    rows = pairs.rows(held=True)
    yield "natural", [pair for pair in rows if pairs.family(pair.source) != "rule-made"]
    yield "planted in pages", planted(rows)
    yield "rule-made", [pair for pair in rows if pairs.family(pair.source) == "rule-made"]
    yield "templates", list(pairs.templated(rng, 1.0, held=True))
    yield "packages", pairs.made(rng, pairs.package_documents(held=True), MADE)
    yield "references, made", pairs.made(rng, pairs.reference_documents(held=True), MADE)
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
    """The scores of pairs: the cross-encoder's, that of the features, and that of both."""

    def __init__(self, model, count):
        self.session, self.encode = windows.open_model(model), train_claims.pair_encoder()
        self.table = train_factuality.word_table(data.train_rows("factuality"), train_factuality.WordVectors())
        rows = training_rows(count)
        self.lexical = train_factuality.Head().fit(train_factuality.matrix(rows, self.table), np.array([row["label"] for row in rows]), train_factuality.row_weights(rows))

    def __call__(self, texts):
        features = self.lexical(np.array([claims.features(reference, claim, self.table) for reference, claim in texts]))
        cross = logits(self.session, self.encode, texts)[:, 0]
        return {"cross-encoder": cross, "features": features, "both": features + train_factuality.CROSS_ENCODER_WEIGHT * cross}


def wrong(rows):
    return np.array([1 - pair.label for pair in rows])


def report(name, rows, scores):
    """Flagging what is not supported: a false alarm is a supported claim."""
    bad = wrong(rows)
    for how, values in scores.items():
        evaluate.line(f"{name}, {how}", bad, -values)
    for how, values in scores.items():
        threshold = np.quantile(values[bad == 0], 0.1)
        kinds = sorted({pair.kind for pair in rows if not pair.label})
        caught = {kind: [value < threshold for pair, value in zip(rows, values) if not pair.label and pair.kind == kind] for kind in kinds}
        print(f"   {how}, caught at 10 %: " + ", ".join(f"{kind} {np.mean(own):.2f} of {len(own)}" for kind, own in caught.items()))


def weigh(kept):
    """AUC, and caught at 5 and 10 % false alarms, by the weight of the cross-encoder."""
    print("weight  " + "  ".join(f"{name:18s}" for name, _, _ in kept))
    for weight in WEIGHTS:
        values = [(wrong(rows), -scores["features"] - weight * scores["cross-encoder"]) for _, rows, scores in kept]
        print(f"{weight:6.2f}  " + "  ".join(f"{data.auc(y, s):.3f} {data.recall_at(y, s, .05):.2f} {data.recall_at(y, s, .1):.2f}    " for y, s in values))


def lengths(kept):
    """Of supported claims the lowest twentieth, tenth and the middle of the logit, by sentences of the reference."""
    for name, rows, scores in kept:
        count = np.array([len(claims.sentences(pair.reference)) for pair in rows])
        for low in (1, 2, 4, 8, 16, 32):
            own = (count >= low) & (count < (2 * low if low < 32 else np.inf)) & (wrong(rows) == 0)
            if own.sum() > 14:
                print(f"{name}, {low} sentences or more: " + "; ".join(f"{how} {np.quantile(scores[how][own], [.05, .1, .5]).round(2).tolist()}" for how in ("features", "both")) + f" of {own.sum()}")


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
    weigh(kept)
    lengths(kept)
    if args.save:
        with open(args.save, "wb") as file:
            pickle.dump(kept, file)


if __name__ == "__main__":
    main()
