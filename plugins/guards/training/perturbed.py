"""More rows for the factuality head, made from others: claims against longer references, and claims with one thing changed."""
import random
import re

import claims

KINDS = ("negation", "name", "number", "date", "unit", "opposite")

AUXILIARY = re.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|does|did|do)\b(?! not\b|n't)")
NOT = re.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|does|did|do)(?: not\b|n't)")
PAST = re.compile(r"\b([a-z]{3,}ed)\b")
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*")
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?![\w.,]\d)")
UNITS = {"metres": "feet", "meters": "feet", "miles": "kilometres", "kilometres": "miles", "million": "billion", "billion": "million", "years": "months", "months": "years",
         "days": "weeks", "weeks": "days", "hours": "minutes", "minutes": "hours", "thousand": "million", "percent": "dollars", "dollars": "euros"}


def negated(rng, claim):
    if NOT.search(claim):
        return NOT.sub(r"\1", claim, count=1)
    if AUXILIARY.search(claim):
        return AUXILIARY.sub(lambda m: m[1] + rng.choice((" not", " never")), claim, count=1)
    return PAST.sub(r"never \1", claim, count=1)


def renamed(rng, claim, names):
    found = list(NAME.finditer(claim))
    if not found:
        return claim
    one = rng.choice(found)
    return claim[:one.start()] + rng.choice(names) + claim[one.end():]


def recounted(rng, claim):
    def other(m):
        value = int(m[0].replace(",", ""))
        return str(max(1, value + rng.choice((-7, -3, -2, -1, 1, 2, 3, 5, 10, 20, 100))) if value > 1 else 3)
    found = list(NUMBER.finditer(claim))
    if not found:
        return claim
    one = rng.choice(found)
    return claim[:one.start()] + other(one) + claim[one.end():]


def replaced(rng, claim, table):
    """One word of a table for another."""
    words = [m for m in re.finditer(r"[A-Za-z]+", claim) if m[0].lower() in table]
    if not words:
        return claim
    one = rng.choice(words)
    new = rng.choice(sorted(table[one[0].lower()]))
    return claim[:one.start()] + (new.capitalize() if one[0][0].isupper() else new) + claim[one.end():]


MONTHS = sorted(claims.MONTHS)
OTHER_DATE = {m: [n for n in MONTHS if n != m and n.endswith("day") == m.endswith("day")] for m in MONTHS if m not in ("may", "march")}
OTHER_UNIT = {k: [v] for k, v in UNITS.items()}


def perturbed(rows, seed=5):
    """Of each supported claim: one for each thing in it that can be changed; the reference does not support it."""
    rng, out = random.Random(seed), []
    names = sorted({m[0] for r in rows for m in NAME.finditer(r["claim"])})
    for r in rows:
        if not r["label"] or r["source"].startswith("rule-made") and rng.random() < 0.5:
            continue
        claim, reference = r["claim"], r["reference"]
        known = {w.lower() for w in re.findall(r"\w+", reference)}
        changed = (negated(rng, claim), renamed(rng, claim, names), recounted(rng, claim), replaced(rng, claim, OTHER_DATE), replaced(rng, claim, OTHER_UNIT),
                   replaced(rng, claim, claims.OPPOSITE))
        for kind, new in zip(KINDS, changed):
            # what the reference has elsewhere may be true
            added = set(re.findall(r"\w+", new.lower())) - set(re.findall(r"\w+", claim.lower()))
            if new != claim and (kind == "negation" or added and not added & known):
                out.append({**r, "claim": new, "label": 0, "source": "perturbed-" + r["source"], "detail": kind})
    return out


def planted(rows, seed=3):
    """Natural claims whose reference stands among sentences of a web page."""
    rng = random.Random(seed)
    hosts = sorted({r["reference"] for r in rows if r["source"].endswith("wice")})
    out = []
    for r in rows:
        if r["source"].startswith("begin-"):
            host = claims.sentences(rng.choice(hosts))
            at, around = rng.randint(0, len(host)), rng.randint(2, 14)
            begin = max(0, at - rng.randint(0, around))
            out.append({**r, "reference": " ".join(host[begin:at] + [r["reference"]] + host[at:begin + around]), "source": "planted-" + r["source"][6:]})
    return out
