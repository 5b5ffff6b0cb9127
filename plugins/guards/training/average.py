"""Averages the weights of rounds that began with one another's (Wortsman et al., Model soups, ICML 2022), and writes the model.

usage: average.py OUT FILE[=SHARE] FILE[=SHARE] ...   (guard.pt of each round; shares are 1 and are divided by their sum)
SALLYPORT_TRAIN, SALLYPORT_CORPORA: the scales of the inputs are measured on training windows.
"""
import os
import sys

import torch

import build
import fitting
import train_guard


def average(shares):
    """The mean of the weights of files with their shares."""
    rounds = [(share / sum(shares.values()), torch.load(file)) for file, share in shares.items()]
    return {name: sum(share * weights[name] for share, weights in rounds) for name in rounds[0][1]}


def main(folder, *files):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "guard.pt")
    named = (file.partition("=") for file in files)
    torch.save(average({file: float(share or 1) for file, _, share in named}), path)
    train_guard.write(folder, fitting.started(len(build.OUTPUTS), path))


if __name__ == "__main__":
    main(*sys.argv[1:])
