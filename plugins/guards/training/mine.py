"""Finds the windows of clean package texts that look most like attacks or toxic text to a model, as negatives for another round of training.

usage: mine.py OUT/guard.onnx OUT/hard.jsonl   (SALLYPORT_CORPORA; texts kept for development are not read)
Half of the windows have the highest document scores, half the highest toxicity, whatever the operating point; three of one text at most.
"""
import argparse
import json

import build
import data
import encoder
import windows

CHUNKS, LONG = 9000, 100  # texts of packages that are read
OF_ONE_TEXT = 3


def texts():
    long = [row for row in data.corpora_rows("documents") if not build.is_held(row["source"])]
    return build.take(build.corpora_chunks(), CHUNKS, 4) + build.take(long, LONG, 4)


def hardest(rows, logits, how, count):
    """(row, window) of the highest windows."""
    found = [(value, at, window) for at, one in enumerate(logits) for window, value in sorted(enumerate(how(one)), key=lambda pair: -pair[1])[:OF_ONE_TEXT]]
    return [(rows[at], window) for _, at, window in sorted(found, reverse=True)[:count]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("path")
    args = parser.parse_args()
    rows, tokenizer = texts(), encoder.load_tokenizer()
    logits = windows.score(windows.open_model(args.model), [row["text"] for row in rows])
    planted, toxic = (lambda one: one[:, 0] + one[:, 1]), (lambda one: one[:, 2])
    chosen = {(id(row), window): (row, window) for how in (planted, toxic) for row, window in hardest(rows, logits, how, build.HARD // 2)}
    with open(args.path, "w", encoding="utf8") as file:
        for row, window in chosen.values():
            text = windows.text_of(tokenizer, row["text"], window)
            file.write(json.dumps({"source": row["source"], "kind": row["kind"], "text": text}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
