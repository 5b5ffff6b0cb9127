"""Fine-tuning of a classifier on windows or pairs of tokens: batches, loss, the steps, the arguments of the scripts."""
import argparse
import os
import random
import time

import numpy as np
import torch
from torch.nn import functional

import encoder

BATCH_TOKENS = 4096
TOKEN_LOSS = 0.3


def batches_of(lengths, rng):
    """Indices of windows of nearly the same length, BATCH_TOKENS each, in any order."""
    order = sorted(range(len(lengths)), key=lambda i: (lengths[i] // 4, rng.random()))
    batches = [[]]
    for i in order:
        if batches[-1] and (len(batches[-1]) + 1) * (lengths[i] + 2) > BATCH_TOKENS:
            batches.append([])
        batches[-1].append(i)
    rng.shuffle(batches)
    return batches


def loss_of(logits, marks, labels, weights, targets):
    known = ~torch.isnan(labels)
    each = functional.binary_cross_entropy_with_logits(logits, torch.nan_to_num(labels), reduction="none")
    loss = (each * known * weights[:, None]).sum() / known.sum().clamp(min=1)
    present = targets >= 0
    token = functional.binary_cross_entropy_with_logits(marks, targets.clamp(min=0), reduction="none")
    return loss + TOKEN_LOSS * (token * present).sum() / present.sum().clamp(min=1)


def optimiser_of(model, rate, frozen_layers):
    for layer in model.encoder.layers[:frozen_layers]:
        layer.requires_grad_(False)
    heads = [*model.token.parameters(), *model.head.parameters()]
    return torch.optim.AdamW([{"params": [p for p in model.encoder.parameters() if p.requires_grad], "lr": rate}, {"params": heads, "lr": 10 * rate}], weight_decay=0.01)


def train(model, draw, epochs, rate, path, seed=1, frozen_layers=0, log=print):
    """Trains on what `draw` gives for each epoch: `ids`, lists of token ids, and `batch(indices)`; keeps the float weights at `path`."""
    rng = random.Random(seed)
    optimiser, began, step, steps = optimiser_of(model, rate, frozen_layers), time.time(), 0, None
    for epoch in range(epochs):
        drawn = draw(rng)
        batches = batches_of([len(ids) for ids in drawn.ids], rng)
        steps = steps or epochs * len(batches)
        if not step:
            schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda at: min((at + 1) / (0.06 * steps), max(0.02, 1 - at / steps)))
        model.train()
        losses = []
        for chosen in batches:
            ids, mask, labels, weights, targets = drawn.batch(chosen)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits, marks = model(ids, mask)
            loss = loss_of(logits.float(), marks.float(), labels, weights, targets)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad()
            schedule.step()
            losses.append(loss.item())
            step += 1
            if step % 50 == 0:
                log(f"step {step} of {steps}, loss {np.mean(losses[-50:]):.4f}, {time.time() - began:.0f} s", flush=True)
        torch.save(model.state_dict(), path)
    return model


def arguments(**more):
    """Those of all training scripts, and `more` with their help."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the examples, to try things out")
    parser.add_argument("--from", dest="start", help="weights to go on with")
    parser.add_argument("--frozen-layers", type=int, default=0)
    for name, text in more.items():
        parser.add_argument("--" + name, help=text)
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    return args


def started(outputs, weights=None, paired=False):
    """A classifier with MiniLM's weights, or with those of a file that `train` has written."""
    torch.manual_seed(1)
    model = encoder.Classifier(outputs, paired=paired)
    if weights:
        model.load_state_dict(torch.load(weights))
    else:
        model.encoder.load_minilm()
    return model
