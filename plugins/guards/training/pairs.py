"""Pairs of a claim and its reference for the cross-encoder: labelled rows, templates, and claims made of the sentences of documents.

A made claim is a sentence in other words (rewordings.py) or the same with one thing changed (alterations.py); both come with the same reference,
so that neither length nor style nor overlap tells them apart.
"""
import functools
import re
from dataclasses import dataclass

import alterations
import claims
import data
import rewordings
import templates
from build import is_held

OUTPUTS = ["supported", "contradicted"]
SIZE, CLAIM = 224, 96  # subwords of a pair with [CLS] and two [SEP], and of its claim
NAN = float("nan")
PER_TEMPLATE = 3  # texts of one template in an epoch
# pairs of an epoch
ROWS = {"begin-wow": 1500, "begin-cmu-dog": 340, "begin-topicalchat": 380, "wice-train": 330, "rule-made": 1100}
MADE = {"packages": 3000, "references": 4000, "passages": 2500}
HEAVIEST = 3.0  # weight of the rarer label of a source

PROSE_KINDS = {"manual", "man-page", "procedure", "readme", "paper", "policy", "encyclopaedia", "quotes", "dialogue", "novel", "api-page"}
PROSE = re.compile(r"[A-Z“\"‘'][^\n{}<>\[\]\\|=_`~^#@*/+]{25,280}[.!?][”\"]?")
LONGEST = 20000  # characters of a document that are read
WRAPPED = re.compile(r"(?<=\S)[ \t]*\n[ \t]*(?=\S)")


@dataclass
class Pair:
    """`labels`: of OUTPUTS, nan is not trained on; `wrong`: the spans of the claim that the reference does not support, None where they are unknown."""
    reference: str
    claim: str
    labels: list
    source: str
    kind: str
    group: str
    weight: float = 1.0
    wrong: list = None

    @property
    def label(self):
        return int(self.labels[0])


# --- rows ---
CONTRARY = {"number": 1, "name": 1, "negation": 1, "other document": 0}


@functools.cache
def groups():
    """The group of each reference: those that share a sentence stay together when rows are divided."""
    parents, first = {}, {}

    def root(text):
        while parents.setdefault(text, text) != text:
            text = parents[text]
        return text

    for text in sorted({row["reference"] for row in data.train_rows("factuality")}):
        for sentence in claims.sentences(text):
            if len(sentence) > 40:
                parents[root(text)] = root(first.setdefault(sentence.lower(), text))
    return {text: "reference:" + root(text) for text in list(parents)}


def of_row(row):
    contrary = 0 if row["label"] else CONTRARY.get(row.get("detail"), NAN)
    return Pair(row["reference"], row["claim"], [row["label"], contrary], row["source"], row.get("detail") or "", groups().get(row["reference"], row["reference"]), wrong=[] if row["label"] else None)


def family(source):
    return "rule-made" if source.startswith("rule-made") else source.removesuffix("-trimmed")


def rows(held=False):
    """Labelled rows whose reference is, or is not, kept for development."""
    return [pair for pair in map(of_row, data.train_rows("factuality")) if is_held(pair.group) == held]


def weighted(pairs):
    """The same with weights, so that the labels of one source count alike."""
    for label in (0, 1):
        part = [pair for pair in pairs if pair.label == label]
        for pair in part:
            pair.weight = min(HEAVIEST, 0.5 * len(pairs) / len(part))
    return pairs


def drawn_rows(rng, scale):
    known = rows()
    for name, count in ROWS.items():
        own = [pair for pair in known if family(pair.source) == name]
        yield from weighted(rng.sample(own, min(len(own), int(count * scale) + 1)))


# --- documents ---
@dataclass
class Document:
    sentences: list
    kind: str
    group: str


def prose(text):
    """The sentences of a text that are prose, in their order; lines are joined."""
    return [s for block in re.split(r"\n\s*\n", text) for s in claims.SENTENCE.split(WRAPPED.sub(" ", block)) if PROSE.fullmatch(s) and 5 < len(s.split()) < 46 and sum(c.isalpha() or c == " " for c in s) > 0.88 * len(s)]


@functools.cache
def package_documents(held=False):
    found = (Document(prose(row["text"][:LONGEST]), row["kind"], "package:" + row["source"]) for name in ("chunks", "documents") for row in data.corpora_rows(name)
             if row["kind"] in PROSE_KINDS and is_held(row["source"]) == held)
    return [document for document in found if len(document.sentences) > 3]


@functools.cache
def reference_documents(held=False):
    texts = sorted({pair.reference: pair for pair in rows(held)}.items())
    found = (Document([s for s in claims.sentences(text) if 4 < len(s.split()) < 60], pair.source.split("-")[-1], pair.group) for text, pair in texts)
    return [document for document in found if len(document.sentences) > 3]


def passages(rng, held=False):
    """(passage, its claims as (text, label), template) of the templates."""
    for row in templates.rows(rng, "claims", PER_TEMPLATE):
        if is_held(row.template) == held:
            passage, *texts = row.text.split(" | ")
            yield passage, [(text[2:], int(text[0] == "+")) for text in texts], row


def templated(rng, scale, held=False):
    """The claims of the templates; a third of the passages stand among others."""
    known = list(passages(rng, held))
    for passage, texts, row in known:
        if rng.random() < scale:
            around = [passage] + ([other for other, _, _ in rng.sample(known, min(len(known), rng.randint(1, 4)))] if rng.random() < 0.33 else [])
            rng.shuffle(around)
            sentences = claims.sentences(passage)
            yield from weighted([Pair(" ".join(dict.fromkeys(around)), rewordings.reworded(rng, text, sentences, 1), [label, 0 if label else NAN], "template", row.kind, "template:" + row.template, wrong=[] if label else None) for text, label in texts])


# --- made claims ---
def joined(rng, one, other):
    """Two sentences as one claim."""
    one = one.rstrip(".")
    return rng.choice([f"{one} and {rewordings.lower(other)}", f"{one}, and {rewordings.lower(other)}", f"{one}. {other}", f"{one}; {rewordings.lower(other)}", f"{one}, while {rewordings.lower(other)}"])


def stems(text):
    words = claims.Text(text)
    return {words.stems[i] for i in words.content}


def said(sentence, others):
    """How much of a sentence others have."""
    own = stems(sentence)
    return len(own & set().union(*map(stems, others))) / max(1, len(own))


def unstated(rng, at, begin, end, document, documents):
    """(kind, claim, reference): what the reference leaves out, or what another document says."""
    if rng.random() < 0.3:
        return "other document", rng.choice(rng.choice(documents).sentences), document.sentences[begin:end]
    return "not stated", document.sentences[at], document.sentences[begin:at] + document.sentences[at + 1:end]


def made_of(rng, document, documents):
    """A supported and an unsupported claim with one reference, or, where nothing could be changed, the first only."""
    sentences = document.sentences
    at = rng.randrange(len(sentences))
    count = rng.randint(2, 10) if rng.random() < 0.85 else rng.randint(15, 60)
    begin = max(0, at - rng.randint(0, count - 1))
    end = max(at + 1, min(len(sentences), begin + count))
    window = sentences[begin:end]
    claim = sentences[at]
    if rng.random() < 0.2 and len(window) > 1 and len(claim.split()) < 26:
        claim = joined(rng, claim, min(rng.sample(window, 2), key=lambda s: (s == claim, len(s))))
    pair = lambda reference, text, labels, kind, wrong: Pair(" ".join(reference), text, labels, document.kind, kind, document.group, wrong=wrong)
    good = rewordings.reworded(rng, claim, window)
    yield pair(window, good, [1, 0], "copy" if good == claim else "other words", [])
    if rng.random() < 0.15:
        kind, text, reference = unstated(rng, at, begin, end, document, documents)
        if reference and said(text, reference) < 0.7:
            yield pair(reference, rewordings.reworded(rng, text, window), [0, 0], kind, None)
        return
    base = rewordings.reworded(rng, claim, window)
    changed = alterations.altered(rng, base, alterations.Document(window))
    if changed:
        kind, text = changed
        yield pair(window, text, [0, alterations.ALL[kind][2]], kind, alterations.changed_places(base, text))


def made(rng, documents, count):
    """Claims made of sentences; every kind of document as often as the square root of its number says."""
    kinds = {}
    for document in documents:
        kinds.setdefault(document.kind, []).append(document)
    weights = [len(own) ** 0.5 for own in kinds.values()]
    out = []
    while len(out) < count:
        own = rng.choices(list(kinds.values()), weights)[0]
        out.extend(made_of(rng, rng.choice(own), own))
    return out


def passage_documents(rng, held=False):
    found = (Document(claims.sentences(passage), "passage " + row.kind, "template:" + row.template) for passage, _, row in passages(rng, held))
    return [document for document in found if len(document.sentences) > 1]


def examples(rng, scale=1.0):
    """The pairs of one epoch."""
    out = [*drawn_rows(rng, scale), *templated(rng, scale)]
    for name, documents in (("packages", package_documents()), ("references", reference_documents()), ("passages", passage_documents(rng))):
        out += made(rng, documents, int(MADE[name] * scale) + 1)
    return out


# --- tokens ---
class PairEncoder:
    """Token ids `claim [SEP] evidence`, the claim of CLAIM tokens at most."""

    def __init__(self, tokenizer, table):
        self.tokenizer, self.table = tokenizer, table
        self.sentence = functools.lru_cache(20000)(lambda text: tokenizer.encode(text, add_special_tokens=False).ids)

    def __call__(self, reference, claim, separator):
        """The ids, and the spans of the claim's tokens in its text."""
        read = self.tokenizer.encode(claim, add_special_tokens=False)
        own = read.ids[:CLAIM]
        room = SIZE - 3 - len(own)
        evidence = claims.evidence(reference, claim, self.table, lambda text: len(self.sentence(text)), room)
        return own + [separator] + [one for text in evidence for one in self.sentence(text)][:room], read.offsets[:CLAIM]
