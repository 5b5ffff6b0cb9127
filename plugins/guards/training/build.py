"""Training examples for the shared injection / toxicity model: window texts with labels for eight outputs.

Outputs: 0 injection (an attack wherever it stands), 1 instruction (an instruction planted in a document),
2 toxicity, 3 hate, 4 harassment, 5 self-harm, 6 sexual, 7 violence. A label of nan is not trained on.
"""
import base64
import codecs
import os
import random
import re
import zlib
from dataclasses import dataclass, field, replace

import numpy as np

import data
import orders
import structured
import templates
import written

OUTPUTS = ["injection", "instruction", "toxicity", "hate", "harassment", "self-harm", "sexual", "violence"]
CATEGORY = {"hate": [3], "harassment": [4], "offensive": [4], "self-harm": [5], "sexual": [6], "sexual/minors": [6],
            "violence": [7], "weapons": [7], "profanity": [], "severe": []}
NAN = float("nan")
ORDERS = 4500  # harmless ones; attacks 0.6 times as many
PER_TEMPLATE = 3  # texts of one template in an epoch
AMONG = 0.25  # share of the texts of templates that stand beside another text
CORPORA_CHUNKS = 9000  # clean chunks of packages, one window each
CORPORA_LINES = 8000  # headings, items and other short lines of packages, each alone; a quarter as many times some of a page together
HARD = 3000  # of the windows that mine.py found
DOCUMENTS = 2600  # clean documents without a strange text; 3.7 times as many clean ones in all, and 2.4 times as many with planted texts


@dataclass
class Example:
    text: str
    labels: list
    weight: float = 1.0
    source: str = ""
    # a document round a planted text: (before, planted, after); the window is cut at random on every epoch
    parts: tuple = field(default=None)
    # 1: the tokens of the planted text are to be marked; 0: no token is; None: unknown
    marked: int = None
    planted_source: str = ""


def labels(injection=NAN, instruction=NAN, toxicity=NAN, categories=None):
    out = [injection, instruction, toxicity] + [NAN] * 5
    if toxicity == 0:
        out[3:] = [0.0] * 5
    elif toxicity == 1 and categories is not None:
        known = [i for c in categories for i in CATEGORY.get(c, [])]
        if known:
            out[3:] = [1.0 if i in known else NAN for i in range(3, 8)]
            if known == [4] or known == [3]:
                out[5:7] = [0.0] * 2
            elif 3 not in known and 4 not in known:
                out[5:] = [1.0 if i in known else 0.0 for i in range(5, 8)]
    return out


def is_held(group):
    """Whether a group (a template, a package) is kept away from training, for development figures: one of six is."""
    return zlib.crc32(group.encode()) % 6 == 0


def take(rows, count, seed):
    return data.shuffled(rows, seed)[:count]


# --- documents ---
HOST_CAPS = {"agentdojo": 400, "garak-latent": 100, "wice": 1500, "begin": 600}
# Languages in the names of templates' kinds, as corpora.json names them.
LANGUAGES = {"german": "de", "french": "fr", "spanish": "es", "italian": "it", "portuguese": "pt", "dutch": "nl", "polish": "pl", "czech": "cs", "swedish": "sv", "nordic": "sv", "danish": "da",
             "turkish": "tr", "russian": "ru", "ukrainian": "uk", "chinese": "zh", "japanese": "ja", "korean": "ko", "hindi": "hi"}
FOREIGN = 0.4  # weight of documents in other languages
AT_HOME = 0.6  # share of the texts in other languages that are planted in a document of their language


def host_documents(held):
    """Documents by source; each is a list of pieces (lines or sentences)."""
    hosts = {}
    for row in data.train_rows("injection"):
        if row["kind"] == "context":
            hosts.setdefault(data.family(row["source"]), []).append(row["text"])
    pages = {row["reference"] for row in data.train_rows("factuality") if row["source"].endswith("wice")}
    talks = {row["reference"] for row in data.train_rows("factuality") if row["source"].startswith("begin-")}
    hosts["wice"] = sorted(pages)
    hosts["begin"] = sorted(talks)
    for row in corpora_chunks():
        hosts.setdefault(language_host(row["language"]) if "language" in row else "packages: " + row["kind"], []).append(row["text"])
    return {name: take(texts, HOST_CAPS.get(name, 700), 5) for name, texts in hosts.items() if name not in held}


def split_pieces(text):
    pieces = [p for line in text.split("\n") for p in re.split(r"(?<=[.!?])\s+", line)]
    return [p for p in pieces if p.strip()] or [text]


def corpus_payloads(held):
    out = {}
    for row in data.train_rows("injection"):
        name = data.family(row["source"])
        if row["kind"] == "indirect-payload" and name not in held:
            out.setdefault(name, []).append(row["text"])
    return out


def plant(rng, host, text):
    """A document cut round a planted text: start, middle or end, sometimes on its own line."""
    pieces = split_pieces(host)
    at = rng.choice([0, len(pieces), rng.randint(0, len(pieces)), rng.randint(0, len(pieces))])
    join = "\n" if "|" in host or "\n" in host and rng.random() < 0.7 else " "
    return join.join(pieces[:at]) + (join if at else ""), text, (join if at < len(pieces) else "") + join.join(pieces[at:])


REQUEST = re.compile(r"^(please|kindly|do not|don't|note|remember|make sure|be sure|you (must|should|need|can|may)|if you|click|see|use|add|send|call|check|visit|"
                     r"read|write|find|get|try|take|let|keep|set|run|open|enter|select|choose|contact|follow|ask|tell|give|show|explain|describe|what|how|why|who|when|"
                     r"where|which|can|could|would|is|are|do|does|have you)\b", re.I)


def natural_requests(hosts):
    """Sentences of the hosts themselves that ask or tell the reader something."""
    found = {(name, p.strip()) for name, texts in hosts.items() for t in texts for p in split_pieces(t) if "|" not in p}
    return sorted((name, p) for name, p in found if 12 < len(p) < 300 and (REQUEST.match(p) or p.endswith("?"))) or [("", "See the appendix.")]


def payload_templates(rng, label, held=False):
    """Rows whose texts are to be planted in documents; those of the kinds cipher-* are ciphered."""
    rows = [row for row in templates.rows(rng, label, PER_TEMPLATE) if is_held(row.template) == held]
    return [replace(row, text=ciphered(rng, row.text)) if row.kind.startswith("cipher-") else row for row in rows]


def language_of(row):
    """The language in the name of a template's kind; English and kinds of several languages have none."""
    named = {LANGUAGES[part] for part in row.kind.split("-") if part in LANGUAGES}
    return named.pop() if len(named) == 1 else None


def language_host(language):
    return f"language: {language}" if language else ""


def is_foreign(host):
    return host.startswith("language: ")


def ciphered(rng, text):
    return rng.choice([lambda: codecs.encode(text, "rot13"), lambda: text[::-1], lambda: base64.b64encode(text.encode()).decode()])()


def documents(rng, held, per_source, requests):
    """Clean documents, documents with harmless instructions, documents with planted attacks."""
    hosts, payloads = host_documents(held), corpus_payloads(held)
    words = sorted({w for t in hosts.get("begin", ["plain words"])[:600] for w in re.findall(r"[A-Za-z]{3,12}", t)})
    hosts["python"] = structured.library_code(rng, 500)
    hosts["terms"] = [structured.terms(rng) for _ in range(900)]
    hosts["records"] = [structured.record(rng) for _ in range(600)]
    hosts["made"] = [structured.document(rng, words) for _ in range(1500)]
    flat = [(name, text) for name, texts in hosts.items() for text in texts]
    natural = natural_requests(hosts)
    weights = np.array([(FOREIGN if is_foreign(name) else 1.0) / len(hosts[name]) ** 0.5 for name, _ in flat])
    weights /= weights.sum()

    def host():
        return flat[rng.choices(range(len(flat)), weights)[0]]

    def host_for(source):
        """A document for a text of this source: one in its language, or any."""
        at_home = source in hosts and is_foreign(source) and rng.random() < AT_HOME
        return (source, rng.choice(hosts[source])) if at_home else host()

    def piece():
        name, text = host()
        pieces = split_pieces(text)
        at = rng.randrange(len(pieces))
        return name, " ".join(pieces[at:at + rng.randint(1, 2)])[:400]

    out = []
    # strange text alone is no sign: clean, with harmless instructions, with such sentences of other documents, with anything from another one
    belonging = [(language_host(language_of(row)), row.text) for row in templates.rows(rng, "benign", PER_TEMPLATE) if row.kind.startswith("doc-") and not is_held(row.template)]
    clean = [(lambda: ("", ""), 1.0), (lambda: ("", written.doc_benign(rng)), 0.7), (lambda: rng.choice(belonging), 1.0), (lambda: rng.choice(natural), 0.5), (piece, 0.5)]
    for make, share in clean:
        for _ in range(int(share * per_source)):
            source, strange = make()
            name, text = host_for(source)
            out.append(Example(text, labels(0, 0, NAN if is_foreign(name) else 0), 1.0, name, plant(rng, text, strange), 0, source))
    kinds = [(lambda n=name, t=texts: (n, rng.choice(t))) for name, texts in payloads.items()]
    aimed, tasks = ([(language_host(language_of(row)), row.text) for row in payload_templates(rng, label)] for label in ("planted", "task"))
    kinds += [lambda: ("", written.payload(rng))] * 3 + [lambda: ("", written.override(rng))] + [lambda: rng.choice(requests)] * 2
    kinds += [lambda: rng.choice(aimed)] * 10 + [lambda: rng.choice(tasks)] * 4
    for _ in range(int(2.4 * per_source)):
        source, planted = rng.choice(kinds)()
        name, text = host_for(source)
        strong = re.search(r"ignore|disregard|forget|instruction|system|assistant|\bAI\b|model|override", planted)
        out.append(Example(text, labels(1 if strong else NAN, 1, NAN), 1.0, name, plant(rng, text, planted), 1, source))
    return out


# --- texts of templates, chunks of packages ---
TEMPLATE_LABELS = {"attack": labels(1, NAN, 0), "benign": labels(0, 0, 0), "harmless": labels(0, 0, 0)}
# Categories of toxic kinds by the beginning of their names; of the others they are unknown.
TOXIC_KINDS = {"hate": "hate innuendo-hate dehumanise implied deny exclusion generalise conspiracy call-to-action misogyny queerphobia ableism sarcasm-hate not-racist opinion-hate "
                       "endorsed comments-on-news praise-then victim-blaming",
               "harassment": "contempt harass wish-death pile-on game-chat swear-at blackmail", "violence": "threat glorify", "sexual": "sexual", "self-harm": "selfharm"}


def toxic_labels(kind):
    categories = [name for name, beginnings in TOXIC_KINDS.items() if kind.startswith(tuple(beginnings.split()))]
    return labels(0, NAN, 1, categories or None)


def templated(rng, scale, held=False):
    """Texts of the templates that are, or are not, kept for development."""
    for label in (*TEMPLATE_LABELS, "toxic"):
        for row in templates.rows(rng, label, PER_TEMPLATE):
            if is_held(row.template) == held and rng.random() < scale:
                yield Example(row.text, TEMPLATE_LABELS.get(label) or toxic_labels(row.kind), 1.0, "template:" + row.template)


def among(rng, examples, asks):
    """Some of the texts of templates with an ordinary request, or talk about the same, before or behind them."""
    talk = [one.text for one in examples if one.source.startswith("template:harmless") and len(one.text) < 200]
    for one in examples:
        if rng.random() < AMONG and len(one.text) < 400:
            parts = [one.text, rng.choice(talk if one.source.startswith(("template:toxic", "template:harmless")) else asks)[:300]]
            rng.shuffle(parts)
            one.text = rng.choice([" ", "\n", "\n\n"]).join(parts)
        yield one


def corpora_chunks(held=False):
    """Chunks of packages that are, or are not, kept for development."""
    return [row for row in data.corpora_rows("chunks") if is_held(row["source"]) == held]


def hard_windows(rng, path, count):
    """Windows that a model before took for attacks or toxic text, as mine.py writes them."""
    return [Example(row["text"], labels(0, 0, 0), 1.0, "package:" + row["source"]) for row in take(data.read_rows(*os.path.split(path)), count, rng.random())]


def clean_chunks(rng, count):
    # not all jokes of the collections in other languages are harmless
    return [Example(row["text"], labels(0, 0, NAN if row["kind"] == "quotes" and "language" in row else 0), 1.0, "package:" + row["source"])
            for row in take(corpora_chunks(), count, rng.random())]


def lines_in(row):
    """The lines of one to eight words of a row, without signs of lists and headings."""
    lines = (line.strip(" #*-=|\t") for line in row["text"].split("\n") if 0 < len(line.split()) <= 8 and len(line) < 80)
    return [line for line in lines if re.search(r"\w", line)]


def lines_of(rows):
    return sorted({line for row in rows for line in lines_in(row)})


def short_lines(rng, count):
    """Lines of one to eight words, alone: what tools answer in a word, and headings, have no context that tells them from orders. Planted texts as short stand against them."""
    out = [Example(text, labels(0, 0, NAN), 1.0, "line") for text in take(lines_of(corpora_chunks()), count, rng.random())]
    return out + [Example(text, labels(NAN, 1, NAN), 1.0, "line", ("", text, ""), 1) for text in take(short_orders_planted(rng), count // 8, rng.random())]


def outlines(rng, count):
    """Some lines of a page together, as the title and the headings of a document are judged, and as many with a short text planted among them."""
    pages = [lines for lines in map(lines_in, corpora_chunks()) if len(lines) > 1]
    planted, out = short_orders_planted(rng), []
    for lines in take(pages, count, rng.random()):
        start, length = rng.randrange(len(lines) - 1), rng.randint(2, 12)
        text = "\n".join(lines[start:start + length])
        out.append(Example(text, labels(0, 0, NAN), 1.0, "outline", (text, "", ""), 0))
        out.append(Example(text, labels(NAN, 1, NAN), 0.5, "outline", plant(rng, text, rng.choice(planted)), 1))
    return out


def short_orders_planted(rng):
    return [row.text for row in payload_templates(rng, "planted") if len(row.text.split()) <= 8]


# --- injection ---
INJECTION_CAPS = {
    ("s-labs", "direct"): 3000, ("s-labs", "benign"): 2600, ("s-labs", "hard-benign"): 1400,
    ("neuralchemy", "direct"): 1800, ("neuralchemy", "benign"): 600, ("neuralchemy", "hard-benign"): 200,
    ("yanismiraoui", "direct"): 700, ("bipia-train", "benign"): 400, ("agentdojo", "benign"): 100, ("agentdojo", "hard-benign"): 10,
}


def injection(rng, held, scale):
    rows = data.train_rows("injection")
    out = []
    for (name, kind), cap in INJECTION_CAPS.items():
        if name in held:
            continue
        chosen = [r for r in rows if data.family(r["source"]) == name and r["kind"] == kind]
        # obfuscated shell strings are no injection in a code assistant; learnt as attacks they make all code look like one
        chosen = [r for r in chosen if r.get("category") not in ("adversarial", "encoding")]
        for row in take(chosen, int(cap * scale), rng.random()):
            attack = row["label"]
            out.append(Example(row["text"], labels(attack, 0 if not attack else NAN, NAN if attack or kind == "hard-benign" else 0), 1.0, name))
    made = [(written.jailbreak, 1, 1500), (written.override, 1, 500), (written.system_prompt, 0, 1300), (written.framed, 0, 1500), (written.about, 0, 600), (written.harmless, 0, 200), (structured.foreign, 0, 400)]
    for make, attack, cap in made:
        for _ in range(int(cap * scale)):
            out.append(Example(make(rng), labels(attack, NAN if attack else 0, NAN if attack else 0), 1.0, "written"))
    return out


# --- toxicity ---
TOXICITY_CAPS = {("davidson", 1): 2200, ("davidson", 0): 2000, ("vicomtech", 1): 1192, ("vicomtech", 0): 1600, ("ailuminate", 1): 1400,
                 ("ailuminate", 0): 300, ("toxigen-demonstrations", 1): 418, ("toxigen-demonstrations", 0): 339,
                 ("realtoxicityprompts", 1): 400, ("begin-messages", 0): 900}
TOXICITY_WEIGHT = {"davidson": 0.7, "vicomtech": 0.8, "realtoxicityprompts": 0.3, "ailuminate": 0.7}


JAILBREAK_WORDS = re.compile(r"ignor|disregard|pretend|hypothet|start your|begin your|act as|role|rules|principle|restrict|imagine", re.I)


def toxicity(rng, held, scale):
    rows = data.train_rows("toxicity")
    out = []
    for (name, label), cap in TOXICITY_CAPS.items():
        if name in held:
            continue
        chosen = [r for r in rows if r["source"] == name and r["label"] == label and r.get("lang") != "fr"]
        if name == "davidson" and label:
            hate = [r for r in chosen if "hate" in r["categories"]]
            chosen = take(hate, 1000, 1) + take([r for r in chosen if "hate" not in r["categories"] and r.get("agreement", 1) > 0.8], 1500, 2)
        for row in take(chosen, int(cap * scale), rng.random()):
            weight = TOXICITY_WEIGHT.get(name, 1.0) * (0.3 if name == "ailuminate" and not label else 1.0)
            attack = NAN if name == "ailuminate" and JAILBREAK_WORDS.search(row["text"]) else 0
            out.append(Example(row["text"], labels(attack, NAN, label, row.get("categories")), weight, name))
    for category, count in (("self-harm", 800), ("violence", 900), ("sexual", 800), ("harassment", 600), ("hate", 700)):
        for _ in range(int(count * scale)):
            out.append(Example(written.toxic(rng, category), labels(0, NAN, 1, [category]), 1.0, "written"))
    for _ in range(int(2400 * scale)):
        out.append(Example(written.harmless(rng), labels(0, NAN, 0), 1.0, "written"))
    return out


def toxic_documents(rng, held, count):
    """Long harmless text with one toxic or harmless passage inside."""
    hosts = [(name, t) for name, texts in host_documents(held).items() if name in ("wice", "begin") for t in texts]
    out = []
    for _ in range(count):
        name, host = rng.choice(hosts)
        category = rng.choice(["self-harm", "violence", "sexual", "harassment", "hate"])
        out.append(Example(host, labels(0, NAN, 1, [category]), 1.0, name, plant(rng, host, written.toxic(rng, category))))
        out.append(Example(host, labels(0, NAN, 0), 1.0, name, plant(rng, host, written.harmless(rng))))
    return out


def short_orders(rng, count):
    """Orders to an assistant: harmless ones and attacks."""
    out = [Example(orders.harmless(rng), labels(0, NAN, 0), 1.0, "orders") for _ in range(count)]
    return out + [Example(orders.attack(rng), labels(1, NAN, NAN), 1.0, "orders") for _ in range(int(0.6 * count))]


def examples(seed, held=(), scale=1.0, docs=DOCUMENTS, orders_count=ORDERS, hard=None, toxic=None):
    """All training examples of one epoch; sources in `held` are left out everywhere. `hard`: a file of mine.py; `toxic`: scale of toxic rows and their like, where it is another."""
    rng = random.Random(seed)
    held = set(held)
    asks = [(data.family(r["source"]), r["text"]) for r in data.train_rows("injection")
            if r["kind"] == "benign" and data.family(r["source"]) in ("s-labs", "neuralchemy") and data.family(r["source"]) not in held]
    asks = asks or [("", "Tell me a joke.")]
    out = injection(rng, held, scale) + documents(rng, held, int(docs * scale), asks) + toxicity(rng, held, scale if toxic is None else toxic) + toxic_documents(rng, held, int(500 * scale))
    out += clean_chunks(rng, int(CORPORA_CHUNKS * scale)) + short_lines(rng, int(CORPORA_LINES * scale)) + outlines(rng, int(CORPORA_LINES / 4 * scale)) + list(among(rng, list(templated(rng, scale)), [text for _, text in asks])) + short_orders(rng, int(orders_count * scale))
    if hard:
        out += hard_windows(rng, hard, int(HARD * scale))
    rng.shuffle(out)
    return out


# --- windows and perturbation ---
BRACES = str.maketrans("()", "{}")  # templates cannot hold braces


def perturb(rng, text):
    if '":' in text and rng.random() < 0.7:
        text = text.translate(BRACES)
    roll = rng.random()
    if roll < 0.06:
        return re.sub(r"[.,!?;:]", "", text)
    if roll < 0.09:
        return text.replace(" ", "  ")
    if roll < 0.12:
        return re.sub(r"(?<=\w)(?=\w)", lambda m: " " if rng.random() < 0.05 else "", text)
    if roll < 0.15:
        return '"' + text + '"'
    return text


def window_ids(rng, tokenizer, example, size):
    """Token ids (without CLS and SEP) of one window of the example, and the span of the planted text in them (None: none)."""
    if example.parts is None:
        ids = tokenizer.encode(perturb(rng, example.text), add_special_tokens=False).ids
        start = 0 if len(ids) <= size or rng.random() < 0.6 else rng.randint(0, len(ids) - size)
        return ids[start:start + size], None
    before, planted, after = example.parts
    before = tokenizer.encode(before[-1500:], add_special_tokens=False).ids
    planted = tokenizer.encode(perturb(rng, planted), add_special_tokens=False).ids if planted else []
    after = tokenizer.encode(after[:1500], add_special_tokens=False).ids
    if len(planted) > size:
        start = rng.randint(0, len(planted) - size)
        planted = planted[start:start + size]
    # a text's last window is short
    room = size - len(planted) if rng.random() < 0.8 else rng.randint(0, size - len(planted))
    left = rng.randint(0, room)
    left, right = before[max(0, len(before) - left):], after[: room - left]
    return left + planted + right, (len(left), len(left) + len(planted)) if planted else None
