"""Features of a claim against a reference text, for the factuality detector. Plain enough to be written again in TypeScript.

Features that tell the source of a row rather than its support (lengths, first person, counts of names) were tried and left out.

Words: runs of letters or digits (Unicode), lower case. Stems: one suffix cut. Everything else is counted from those.
"""
import functools
import math
import re

import numpy as np

MONTH_NAMES = "January February March April May June July August September October November December".split()
# behind a month, one or two digits are its day: May 12 300 people
FIRST_DIGITS = r"(?:\d{3}|" + "".join(f"(?<!{month} )" for month in MONTH_NAMES) + r"\d{1,2})"
# digits in groups of three behind spaces or apostrophes (735 000), other numbers, words
WORD = re.compile(FIRST_DIGITS + r"(?:[ \u00a0\u2009\u202f'’]\d{3})+(?!\d)(?:[.,]\d+)*|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
# behind points only where they can be no decimals: 1.234.567 and 735.000, but not 1.500
THOUSANDS = re.compile(r"(?!0)\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3}){2,}|\.000)")
ONE_COMMA = re.compile(r"\d+,\d+")
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
STOP = set("""a an the of in on at by for from to with and or but as is are was were be been being has have had do does did
it its he she they them his her their this that these those there which who whom whose what when where while i you we my your our
me us him also than then so such into over after before about between during under up out off can could will would may might shall should s t each every per roughly approximately nearly almost around""".split())
NEGATION = {"not", "no", "never", "none", "neither", "nor", "without", "cannot", "nobody", "nothing", "hardly", "unable", "fails", "failed", "refused", "denied"}
NUMBER = {w: str(i) for i, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
NUMBER.update({"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "twenty": "20", "thirty": "30", "hundred": "100", "thousand": "1000", "dozen": "12", "once": "1", "twice": "2"})
MONTHS = {month.lower() for month in MONTH_NAMES} | set("monday tuesday wednesday thursday friday saturday sunday".split())
ANTONYMS = [p.split("/") for p in """increase/decrease rise/fall rose/fell increased/decreased more/less more/fewer first/last before/after north/south east/west
win/lose won/lost success/failure open/close opened/closed male/female man/woman son/daughter father/mother husband/wife brother/sister high/low higher/lower
largest/smallest best/worst oldest/youngest early/late begin/end began/ended start/stop started/stopped accept/reject accepted/rejected support/oppose supported/opposed
alive/dead born/died buy/sell bought/sold true/false legal/illegal public/private positive/negative above/below inside/outside left/right major/minor hot/cold
always/never all/none join/leave joined/left appointed/resigned arrived/departed guilty/innocent convicted/acquitted married/divorced""".split()]
OPPOSITE = {}
for a, b in ANTONYMS:
    OPPOSITE.setdefault(a, set()).add(b)
    OPPOSITE.setdefault(b, set()).add(a)

NAMES = ["cover", "cover_plain", "cover_best", "cover_best2", "bigram", "trigram", "near_pairs", "longest_run", "number_missing",
         "number_missing_any", "name_missing", "name_missing_any", "date_missing", "polarity", "antonym", "soft", "soft_best",
         "soft_min", "missing_top", "missing_sum", "missing_second", "verb_gap", "number_near", "name_conflict", "number_conflict", "date_conflict", "window"]
SCOPE = 4  # content words behind a negation that it denies
SLIGHT = 0.15  # weight of words that one side denies, of all, that means nothing
SAME = 0.6  # share of a claim that one sentence has, from which on both speak of the same
WINDOW = 45  # words
RELATED = 0.9  # how near words of one root are


@functools.lru_cache(100_000)
def stem(word):
    for suffix in ("ingly", "edly", "ing", "ied", "ies", "ed", "es", "ly", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: len(word) - len(suffix)] + ("y" if suffix in ("ied", "ies") else "")
            break
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def number(word):
    if word[0].isdigit():
        return plain_number(re.sub(r"[^\d.,]", "", word))
    return NUMBER.get(word)


def plain_number(number):
    """A point before the decimals and no other mark: 735,000 and 735.000 are 735000, 12,5 is 12.5; 3.11.2 stays."""
    if "," in number and "." in number:
        comma_last = number.rfind(",") > number.rfind(".")
        return number.replace("." if comma_last else ",", "").replace(",", ".", 1)
    if THOUSANDS.fullmatch(number):
        return re.sub("[.,]", "", number)
    return number.replace(",", ".") if ONE_COMMA.fullmatch(number) else number.replace(",", "")


class Text:
    def __init__(self, text):
        raw = WORD.findall(text)
        self.raw = raw
        self.words = [w.lower().replace("’", "'") for w in raw]
        self.words = [w[:-2] if w.endswith("'s") else w for w in self.words]
        self.stems = [number(w) or stem(w) for w in self.words]
        self.content = [i for i, w in enumerate(self.words) if w not in STOP and len(w) > 1 or w.isdigit()]
        self.denied = self.in_scope(set(self.content))

    def in_scope(self, content):
        """Which words stand behind a negation."""
        out, left = [], 0
        for i, w in enumerate(self.words):
            negates = w in NEGATION or w.endswith("n't")
            out.append(left > 0 and not negates)
            left = SCOPE if negates else max(0, left - 1) if i in content else left
        return out


class Reference(Text):
    def __init__(self, text):
        super().__init__(text)
        self.parts = [Text(s) for s in sentences(text)] or [Text(text)]
        self.sets = [set(p.stems) for p in self.parts]
        self.places, self.roots = {}, {}
        for i, k in enumerate(self.stems):
            self.places.setdefault(k, []).append(i)
        for k in dict.fromkeys(self.stems):
            same = self.roots.setdefault(k[:4], [])
            if len(same) < 50:
                same.append(k)


read = functools.lru_cache(64)(Reference)


class Weights:
    """Word weights (inverse document frequency) and word vectors."""

    def __init__(self, frequency, documents, vectors):
        self.frequency, self.documents, self.vectors = frequency, documents, vectors

    def idf(self, key):
        return math.log((self.documents + 1) / (self.frequency.get(key, 0) + 0.5))


def sentences(text):
    return [s for s in SENTENCE.split(text) if s.strip()]


def share(weights, have):
    total = sum(weights)
    return sum(w for w, h in zip(weights, have) if h) / total if total else 1.0


def features(reference, claim, table):
    c, r = Text(claim), read(reference)
    parts, sets, seen = r.parts, r.sets, r.places
    keys = [c.stems[i] for i in c.content]
    weight = [table.idf(k) for k in keys]
    have = [k in seen for k in keys]
    # the sentence that covers most, and the one that adds most to it
    gains = [sum(w for w, k in zip(weight, keys) if k in s) for s in sets]
    first = int(np.argmax(gains)) if gains else 0
    rest = [sum(w for w, k in zip(weight, keys) if k in s and k not in sets[first]) for s in sets]
    second = int(np.argmax(rest)) if rest else 0
    total = sum(weight) or 1.0
    best, both = parts[first], sets[first] | sets[second]
    pairs = list(zip(c.stems, c.stems[1:]))
    rpairs = set(zip(r.stems, r.stems[1:]))
    triples = list(zip(c.stems, c.stems[1:], c.stems[2:]))
    rtriples = set(zip(r.stems, r.stems[1:], r.stems[2:]))
    near, near_total = near_pairs(keys, r)
    kinds = [kind(c, i) for i in c.content]
    nums, names = ([k for k, one in zip(keys, kinds) if one == name] for name in ("number", "name"))
    dates = [w for w in c.words if w in MONTHS]
    rwords, bwords = set(r.words), set(best.words)
    opposite = sum(1 for w in c.words if w in OPPOSITE and w not in rwords and OPPOSITE[w] & (bwords | set(parts[second].words)))
    soft = soft_cover(c, r, keys, kinds, have, r, table)
    soft_best = soft_cover(c, best, keys, kinds, [k in sets[first] for k in keys], r, table)
    missing = sorted((w * (1 - s) for w, s in zip(weight, soft)), reverse=True) + [0.0, 0.0]
    verbs = [h for i, h in zip(c.content, have) if c.words[i].endswith(("ed", "ing", "es", "s")) and c.raw[i][0].islower()]
    about = bool(keys) and gains[first] / total > SAME
    return np.array([
        share(weight, have), sum(have) / max(1, len(have)), gains[first] / total if gains else 0.0, (gains[first] + rest[second]) / total if gains else 0.0,
        sum(p in rpairs for p in pairs) / max(1, len(pairs)), sum(t in rtriples for t in triples) / max(1, len(triples)),
        near / max(1, near_total), longest_run(c.stems, r) / max(1, len(c.stems)),
        sum(k not in seen for k in nums), float(any(k not in seen for k in nums)),
        sum(k not in seen for k in names) / max(1, len(names)), float(any(k not in seen for k in names)),
        float(any(d not in rwords for d in dates)), about * max(0.0, polarity(c, keys, weight, best, parts[second]) / total - SLIGHT), float(about and opposite > 0),
        sum(w * s for w, s in zip(weight, soft)) / total, sum(w * s for w, s in zip(weight, soft_best)) / total,
        min(soft, default=1.0), missing[0], sum(missing), missing[1], 1 - sum(verbs) / len(verbs) if verbs else 0.0,
        sum(1 for k in nums if k in both) / max(1, len(nums)) if nums else 1.0,
        *(conflict([one == name and not h for one, h in zip(kinds, have)], weight, soft_best) for name in ("name", "number")),
        float(about and any(d not in rwords for d in dates)), densest(keys, weight, r) / total,
    ], np.float32)


def evidence(reference, claim, table, size_of, room):
    """The sentences of a reference for a pair with a claim, in their order, as many as `room` takes (`size_of`: what each takes; only the first may
    be longer): one after the other the sentence with the highest weight of the claim's words that those before it lack, then
    the neighbours of the first one, then the rest, by the weight of the words that they have."""
    r, c, texts = read(reference), Text(claim), sentences(reference) or [reference]
    weight = {c.stems[i]: table.idf(c.stems[i]) for i in c.content}
    held = [{k for k in weight if k in own} for own in r.sets]
    gain = lambda at, known=frozenset(): sum(weight[k] for k in sorted(held[at] - known))
    order, covered = [], set()
    while covered != set().union(*held):
        order.append(max(range(len(texts)), key=lambda at: gain(at, covered)))
        covered |= held[order[-1]]
    first = order[0] if order else 0
    rest = sorted(range(len(texts)), key=lambda at: -gain(at))
    kept = []
    for at in dict.fromkeys([*order, first - 1, first + 1, *rest]):
        size = size_of(texts[at]) if 0 <= at < len(texts) else room + 1
        if size <= room or not kept and at == rest[0]:
            kept.append(at)
            room -= size
    return [texts[at] for at in sorted(kept)]


def kind(c, i):
    """What a content word of a claim is."""
    if c.stems[i][0].isdigit():
        return "number"
    return "date" if c.words[i] in MONTHS else "name" if c.raw[i][0].isupper() and i > 0 else "word"


def polarity(c, keys, weight, best, second):
    """Weight of the claim's words that only one side denies: it, or the sentences that cover it."""
    where = {}
    for text in (second, best):
        own = {}
        for k, denied in zip(text.stems, text.denied):
            own.setdefault(k, set()).add(denied)
        where |= own
    return sum(w for i, k, w in zip(c.content, keys, weight) if k in where and c.denied[i] not in where[k])


def conflict(lacking, weight, soft):
    """How much of the rest stands in one sentence, where something of a kind is lacking: then it says something else there."""
    rest = [(w, s) for w, s, lack in zip(weight, soft, lacking) if not lack]
    return sum(w * s for w, s in rest) / (sum(w for w, _ in rest) or 1.0) if any(lacking) else 0.0


def densest(keys, weight, r):
    """The highest weight of different words of the claim within WINDOW words of the reference."""
    own = dict(zip(keys, weight))
    found = sorted((place, k) for k in own for place in r.places.get(k, ())[:20])
    count, gain, best, begin = dict.fromkeys(own, 0), 0.0, 0.0, 0
    times = {k: keys.count(k) for k in own}
    for place, k in found:
        count[k] += 1
        gain += own[k] * times[k] if count[k] == 1 else 0.0
        while found[begin][0] <= place - WINDOW:
            old = found[begin][1]
            count[old] -= 1
            gain -= own[old] * times[old] if count[old] == 0 else 0.0
            begin += 1
        best = max(best, gain)
    return best


def near_pairs(keys, r, reach=8):
    """How many neighbouring content words of the claim stand within `reach` words of each other in the reference."""
    near = 0
    for a, b in zip(keys, keys[1:]):
        if any(abs(i - j) <= reach for i in r.places.get(a, ())[:20] for j in r.places.get(b, ())[:20]):
            near += 1
    return near, max(0, len(keys) - 1)


def longest_run(a, r):
    best, previous = 0, {}
    for w in a:
        current = {}
        for j in r.places.get(w, ()):
            current[j] = previous.get(j - 1, 0) + 1
            best = max(best, current[j])
        previous = current
    return best


def related(one, other):
    """Whether two stems differ only at their ends: visit, visitor."""
    short, long = sorted((one, other), key=len)
    return len(short) >= 5 and len(long) - len(short) <= 5 and long.startswith(short[:-1])


def soft_cover(c, r, keys, kinds, have, reference, table):
    """1 for a claim word found by its stem, less for one of the same root, else the best cosine with a reference word.

    Numbers, names and dates have nothing near: another city is near a city, and yet another one.
    """
    out = []
    matrix, stems = None, None
    for i, key, one, found in zip(c.content, keys, kinds, have):
        if found:
            out.append(1.0)
        elif one in ("number", "date"):
            out.append(0.0)
        else:
            stems = stems or set(r.stems)
            if any(k in stems and related(key, k) for k in reference.roots.get(key[:4], ())):
                out.append(RELATED)
            elif one == "name":
                out.append(0.0)
            else:
                if matrix is None:
                    matrix = table.vectors([r.words[j] for j in r.content] or ["."])
                out.append(float(max(0.0, (matrix @ table.vectors([c.words[i]])[0]).max())))
    return out
