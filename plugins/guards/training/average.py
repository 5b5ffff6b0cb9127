"""Averages the weights of two rounds, one of which began with the other's (Wortsman et al., Model soups, ICML 2022), and writes the model.

usage: average.py FIRST/guard.pt SECOND/guard.pt OUT [SHARE]   (SHARE of the second: 0.5; SALLYPORT_TRAIN, SALLYPORT_CORPORA: the scales of the inputs are measured on training windows)
"""
import os
import sys

import torch

import build
import fitting
import train_guard


def average(one, other, share):
    return {name: (1 - share) * one[name] + share * other[name] for name in one}


def main(first, second, folder, share=0.5):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "guard.pt")
    torch.save(average(torch.load(first), torch.load(second), float(share)), path)
    train_guard.write(folder, fitting.started(len(build.OUTPUTS), path))


if __name__ == "__main__":
    main(*sys.argv[1:])
