"""Texts as windows of subwords, and their logits by an exported model."""
import numpy as np
import onnxruntime

import encoder

SIZE, STRIDE = 126, 96  # subwords of a window beside [CLS] and [SEP], and between the beginnings of two windows
LENGTH = 40000  # characters of a text that are read


def open_model(path):
    """An ONNX model on one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def padded(windows):
    """Ids and mask, int64, windows × the longest one with [CLS] and [SEP]."""
    length = max(len(w) for w in windows) + 2
    ids = np.zeros((len(windows), length), np.int64)
    for i, one in enumerate(windows):
        ids[i, : len(one) + 2] = [encoder.CLS, *one, encoder.SEP]
    return ids, (ids != encoder.PAD).astype(np.int64)


def cut(tokenizer, text):
    """Windows of SIZE token ids, every STRIDE tokens."""
    ids = tokenizer.encode(text[:LENGTH], add_special_tokens=False).ids
    return [ids[start:start + SIZE] for start in range(0, max(1, len(ids) - (SIZE - STRIDE)), STRIDE)]


def text_of(tokenizer, text, window):
    """The characters of one of the windows of a text."""
    offsets = tokenizer.encode(text[:LENGTH], add_special_tokens=False).offsets[window * STRIDE:window * STRIDE + SIZE]
    return text[offsets[0][0]:offsets[-1][1]] if offsets else ""


def score(session, texts, batch=24):
    """Per text: the logits of its windows (windows × outputs)."""
    tokenizer = encoder.load_tokenizer()
    items = [(i, ids) for i, text in enumerate(texts) for ids in cut(tokenizer, text)]
    order = sorted(range(len(items)), key=lambda at: len(items[at][1]))
    logits = [None] * len(items)
    for at in range(0, len(order), batch):
        part = order[at:at + batch]
        values = session.run(None, dict(zip(("input_ids", "attention_mask"), padded([items[i][1] for i in part]))))[0]
        for i, row in zip(part, values):
            logits[i] = row
    out = [[] for _ in texts]
    for (i, _), row in zip(items, logits):
        out[i].append(row)
    return [np.array(rows) for rows in out]
