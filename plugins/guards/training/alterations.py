"""One thing in a claim made other than a document says: each takes (rng, claim, document) and gives the new claim, or the claim itself where it finds nothing to change.

Replacements come from the document itself where it has any: a claim is not to be seen false by a word that stands nowhere.
"""
import difflib
import re
from dataclasses import dataclass, field

import claims
import perturbed
import rewordings
import templates
from rewordings import MONTHS, SMALL, lower, one_of, upper

NAME = re.compile(r"(?<=[a-z0-9,“\"(] )(?:[A-Z][\w'’-]+)(?: (?:of |de |van |the )?[A-Z][\w'’-]+)*|^(?:[A-Z][a-z'’-]+ ){1,3}[A-Z][a-z'’-]+")
PLACE_BEFORE = re.compile(r"\b(?:in|near|at|from|to|of|across|outside) $")
NO_NAME = set(MONTHS) | set("I Monday Tuesday Wednesday Thursday Friday Saturday Sunday January The This That He She It They We You In On At For But And If When While After Before".split())
VERB = r"(?:is|was|were|are|has|had|will|would|said|says|can|could|did|does|may|might|beat|won|lost|wrote|made|took|left|became|began|gave|got|held|led|met|paid|put|ran|saw|sent|sold|told|went|bought|built|found|\w{2,}ed)"
SUBJECT = re.compile(rf"^((?:[\w'’.-]+ ){{0,6}}?[\w'’.-]+) ({VERB}) (\S.*)$")
# words that exclude each other; of a group, each may stand for each
OTHERS = [group.split("/") for group in """wrote/edited/translated/reviewed; directed/produced/starred in/wrote; founded/left/sold/joined; bought/sold/rented/owned; built/demolished/designed/restored; opened/closed; discovered/denied/invented; won/lost/drew;
beat/lost to/drew with; defeated/lost to; announced/denied/refused to confirm; confirmed/denied; approved/rejected/delayed; accepted/declined/refused; increased/decreased/halved; rose/fell; rises/falls; grew/shrank; gained/lost; supports/opposes; supported/opposed;
praised/criticised; welcomed/condemned; promised/refused; agreed/refused; allowed/forbade; allows/forbids; permits/prevents; permitted/banned; enables/disables; enabled/disabled; includes/excludes; contains/lacks; requires/forbids; required/optional;
appointed/dismissed; hired/fired; elected/voted out; promoted/demoted; resigned/was reappointed; arrested/released; convicted/acquitted; sentenced/acquitted; charged/cleared; killed/injured/rescued; died/survived/recovered; injured/unharmed; arrived/departed;
joined/left; entered/left; married/divorced; born/buried; taught/studied; began/ended; started/finished; first/last/second; before/after; earlier/later; early/late; more/less; most/least; higher/lower; highest/lowest; larger/smaller; largest/smallest; longer/shorter;
older/younger; oldest/youngest; faster/slower; better/worse; best/worst; cheaper/dearer; north/south/east/west; northern/southern/eastern/western; left/right; above/below; inside/outside; upper/lower; morning/evening/afternoon; daily/weekly/monthly; weekly/monthly/yearly;
annual/monthly; men/women; man/woman; boys/girls; father/mother/uncle; brother/sister/cousin; son/daughter/nephew; husband/wife; actor/singer/director; novel/play/poem; album/film; president/vice president/treasurer; minister/ambassador; teacher/student; buyer/seller;
plaintiff/defendant; goal/penalty; gold/silver/bronze; football/hockey/basketball; hospital/school/prison; bridge/tunnel/tower; river/lake; church/theatre; train/bus/ship; red/blue/green/white/black; wood/stone/steel; iron/copper/gold; gas/oil/coal; winter/summer; spring/autumn;
warm/cold; hot/cold; dry/wet; sunny/rainy; public/private; national/local; legal/illegal; free of charge/for a fee; voluntary/compulsory; permanent/temporary; successful/unsuccessful; successfully/unsuccessfully; safe/dangerous; present/absent; same/opposite; full/empty;
positive/negative; read/write; input/output; client/server; upload/download; add/remove; adds/removes; create/delete; creates/deletes; install/uninstall; enable/disable; start/stop; minimum/maximum; always/never; optional/mandatory; local/remote; true/false; parent/child;
can/cannot; must/need not; should/should not; will/will not; success/failure; victory/defeat; profit/loss; supporters/opponents; majority/minority; unanimously/narrowly; teenager/pensioner; widow/widower; voluntarily/under pressure""".replace("\n", " ").split("; ")]
OTHER = {}
for group in OTHERS:
    for one in group:
        OTHER.setdefault(one, []).extend(other for other in group if other != one)
OTHER_PATTERN = re.compile(r"\b(" + "|".join(sorted(map(re.escape, OTHER), key=len, reverse=True)) + r")\b")
QUANTITIES = [(r"\b[Ss]ome\b", ["all", "no"]), (r"\b[Mm]any\b", ["all", "few", "no"]), (r"\b[Mm]ost\b(?! \w+(?:ed|ing)\b)", ["all", "few"]), (r"\b[Aa]ll\b", ["no", "few", "only some"]), (r"\b[Bb]oth\b", ["neither"]), (r"\b[Ee]very\b", ["no", "hardly any"]), (r"\b[Ss]everal\b", ["no", "all"]),
              (r"\b[Nn]o\b", ["every", "some"]), (r"\b[Ff]ew\b", ["most", "many"]), (r"\bat least\b", ["at most", "exactly"]), (r"\bup to\b", ["more than"]), (r"\bmore than\b", ["less than", "exactly twice"]), (r"\bless than\b", ["more than"]), (r"\bhalf\b", ["a quarter", "all"]),
              (r"\busually\b|\boften\b|\bsometimes\b", ["always", "never"]), (r"\bonly\b", ["not only"]), (r"\bnearly\b|\balmost\b", ["far more than"]), (r"\bone of the\b", ["the only one of the"]), (r"\bpartly\b|\bpartially\b", ["completely"]), (r"\beach\b", ["only one"])]
CERTAINTIES = [(r"\b(?:may|might|could) have\b", "have certainly"), (r"\b(?:may|might|could|can)\b(?! not)", "will"), (r"\b(?:is|are|was|were) expected to\b", "will definitely"), (r"\b(?:plans|hopes|wants|intends|aims|promised|agreed) to (\w+)", r"has already managed to \1"),
               (r"\b(?:plan|hope|want|intend|aim) to (\w+)", r"have already managed to \1"), (r"\b(?:allegedly|reportedly|possibly|probably|perhaps|apparently|likely) ", ""), (r"\bis likely to\b", "is certain to"), (r"\b(?:is|are|was|were) (?:accused|suspected) of\b", "was convicted of"),
               (r"\b(?:believe|think|suspect|suggest)s?(?: that)?\b", "have proved that"), (r"\bseems? to\b|\bappears? to\b", "is known to"), (r"\bwould\b(?! not)", "will certainly"), (r"\bshould\b", "must"), (r"\bproposed\b", "adopted"), (r"\bif\b", "because"), (r"\btried to\b", "managed to")]
UNITS = {"metres": ["feet", "kilometres"], "meters": ["feet", "kilometers"], "miles": ["kilometres", "yards"], "kilometres": ["miles", "metres"], "km": ["miles"], "kg": ["pounds"], "million": ["billion", "thousand"], "billion": ["million"], "years": ["months", "weeks"], "months": ["years", "weeks"],
         "days": ["weeks", "hours"], "weeks": ["days", "months"], "hours": ["minutes", "days"], "minutes": ["hours", "seconds"], "seconds": ["minutes", "hours"], "thousand": ["million"], "percent": ["percentage points", "dollars"], "dollars": ["euros", "pounds"], "euros": ["dollars"],
         "pounds": ["euros"], "bytes": ["bits", "kilobytes"], "bits": ["bytes"], "kilobytes": ["megabytes"], "megabytes": ["gigabytes"], "milliseconds": ["seconds"], "degrees": ["percent"], "tonnes": ["kilograms"], "litres": ["gallons"], "decades": ["centuries"], "points": ["goals"], "games": ["seasons"]}
DETAILS = """in {cl-year}/in {cl-month} {cl-year}/in {cl-town}/near {cl-town}/for the third time/with his brother/with her sister/after a long illness/despite heavy rain/for {cl-million} million dollars/with the help of {cl-country}/according to officials in {cl-town}/within {cl-small} weeks/at the age of {cl-age}/
without telling anyone/by mistake/under a false name/on the advice of a lawyer/for less than a year/at a public ceremony/ahead of schedule/behind closed doors/in front of {cl-hundreds} guests/because of a strike/because of rising costs/in spite of several warnings/for personal reasons/
to great acclaim/against the wishes of the family/with a small majority/for the first time since {cl-year}/together with {cl-first} {cl-last}/on a {cl-weekday}/at the request of the mayor/as part of a pilot project/after a vote of {cl-age} to {cl-small}/only on certain systems/by default since version {cl-small}/
as a security measure/to save memory/at no extra cost/which surprised many experts/which led to several complaints/, making it the largest in {cl-country}/, the first of its kind in {cl-country}/, a decision that was later reversed/, which cost about {cl-million} million euros/, as {cl-first} {cl-last} confirmed later/
, where {cl-small} people live/, mostly at night/, although nobody had asked for it/, and was later given an award for it/, and has been doing so since {cl-year}/, but the plan was dropped in {cl-year}""".replace("\n", "").split("/")
TAIL = re.compile(r" (?:in|on|at|for|with|by|after|before|during|because|without|since|until|despite) [^,.;:()]{6,60}(?=[.]?$)")
ADJECTIVES = "award-winning former controversial newly elected famous retired wealthy Italian Norwegian outdated experimental expensive unpopular successful young elderly disabled secret private".split()


@dataclass
class Document:
    """Sentences, and the names in them."""
    sentences: list
    names: list = field(default_factory=list)

    def __post_init__(self):
        self.names = sorted({m[0] for s in self.sentences for m in NAME.finditer(s) if m[0].split()[0] not in NO_NAME})


def names_of(claim):
    return [m for m in NAME.finditer(claim) if m[0].split()[0] not in NO_NAME]


def put(claim, match, new):
    return claim[:match.start()] + new + claim[match.end():]


def person(rng, claim, document):
    """Another name: of as many words, if the document has one."""
    found = [m for m in names_of(claim) if not PLACE_BEFORE.search(claim[:m.start()])]
    if not found:
        return claim
    one = rng.choice(found)
    others = [n for n in document.names if n.lower() not in claim.lower() and not set(n.lower().split()) & set(one[0].lower().split())]
    alike = [n for n in others if len(n.split()) == len(one[0].split())] or others
    if alike and rng.random() < 0.75:
        return put(claim, one, rng.choice(alike))
    new = templates.fill(rng, "{cl-first} {cl-last}" if len(one[0].split()) > 1 else "{cl-last}")
    return put(claim, one, new)


def part_of_name(rng, claim, document):
    """The first or the last name another one."""
    found = [m for m in names_of(claim) if len(m[0].split()) == 2]
    if not found:
        return claim
    one = rng.choice(found)
    first, last = one[0].split()
    return put(claim, one, templates.fill(rng, f"{{cl-first}} {last}" if rng.random() < 0.5 else f"{first} {{cl-last}}"))


def place(rng, claim, document):
    found = [m for m in names_of(claim) if PLACE_BEFORE.search(claim[:m.start()])]
    if not found:
        return claim
    one = rng.choice(found)
    inside = [n[0] for s in document.sentences for n in names_of(s) if PLACE_BEFORE.search(s[:n.start()]) and n[0].lower() not in claim.lower()]
    return put(claim, one, rng.choice(inside) if inside and rng.random() < 0.6 else templates.fill(rng, rng.choice(["{cl-town}", "{cl-town}", "{cl-country}"])))


SYMMETRIC = re.compile(r"\b(?:and|or|met|married|with|between|both|neither|nor|versus|vs|from|border\w*|resembl\w+|same|equals?|talks)\b", re.I)


def roles(rng, claim, document):
    """Two names, or what stands on both sides of a verb with an agent or object, in each other's place."""
    found = names_of(claim)
    pairs = [(a, b) for a, b in zip(found, found[1:]) if re.search(rf"\b{VERB}\b", claim[a.end():b.start()]) and not SYMMETRIC.search(claim[a.end():b.start()]) and not PLACE_BEFORE.search(claim[:b.start()].replace(" by ", "   "))]
    if pairs:
        a, b = rng.choice(pairs)
        return claim[:a.start()] + b[0] + claim[a.end():b.start()] + a[0] + claim[b.end():]
    m = re.match(rf"^({rewordings.NOUN}) ({'|'.join(rewordings.PARTICIPLES)}) ({rewordings.NOUN})({rewordings.TAIL})([.!?]?)$", claim)
    if m and not SYMMETRIC.search(m[2]) and m[2] not in ("married", "joined"):
        return f"{upper(m[3])} {m[2]} {lower(m[1])}{m[4]}{m[5]}"
    return claim


def opposite(rng, claim, document):
    """A verb or another word, and one that excludes it."""
    table = claims.OPPOSITE if rng.random() < 0.3 else None
    return perturbed.replaced(rng, claim, table) if table else one_of(rng, OTHER_PATTERN, claim, lambda m: rng.choice(OTHER[m[0]]))


def speaker(rng, claim, document):
    """Somebody else said it, or the contrary was said."""
    m = re.search(r"\b(said|says|announced|stated|told|claimed|according to|argued|explained|warned|confirmed)\b", claim)
    if not m:
        return claim
    near = [n for n in names_of(claim) if abs(n.start() - m.end()) < 25 or abs(m.start() - n.end()) < 25]
    if near and rng.random() < 0.6:
        others = [n for n in document.names if n.lower() not in claim.lower()]
        return put(claim, rng.choice(near), rng.choice(others) if others and rng.random() < 0.7 else templates.fill(rng, "{cl-first} {cl-last}"))
    who = re.search(r"\b(?:the )?(police|company|government|court|minister|spokesman|spokeswoman|president|mayor|union|authors?|researchers|officials|council|ministry|report|study)\b", claim)
    if who and rng.random() < 0.6:
        return put(claim, who, ("the " if who[0].startswith("the ") else "") + rng.choice([o for o in ("police", "opposition", "company", "neighbours", "union", "minister", "lawyers", "victims", "experts") if o != who[1]]))
    if m[1] in ("said", "announced", "stated", "claimed", "confirmed", "explained", "argued", "warned"):
        return put(claim, m, rng.choice(["denied", "did not say", "refused to say", "asked whether"]))
    return claim


def unattributed(rng, claim, document):
    """As somebody else's words."""
    if re.search(r"\b(said|says|according|told|announced)\b|[\"“]", claim) or len(claim.split()) > 28:
        return claim
    others = [n for n in document.names if n.lower() not in claim.lower()]
    who = rng.choice(others) if others and rng.random() < 0.7 else templates.fill(rng, "{cl-first} {cl-last}")
    return rng.choice([f"{who} said that {lower(claim)}", f"According to {who}, {lower(claim)}", f"{who} denied that {lower(claim)}"])


NUMBER = re.compile(r"(?<![\w.,])\d[\d,. ]*\d(?![\w]|[.,]\d)|(?<![\w.,])\d(?![\w]|[.,]\d)")
WORD_NUMBER = re.compile(r"\b(?:" + "|".join(SMALL[2:]) + r"|thirty|forty|fifty|sixty|hundred|dozen)\b")


def number(rng, claim, document):
    """Another number, written the same way."""
    def other(m):
        text = m[0]
        if re.fullmatch(r"1[5-9]\d\d|20[0-4]\d", text):
            return int(text) + rng.choice([-30, -11, -10, -5, -3, -2, -1, 1, 2, 3, 4, 5, 10, 12, 20])
        inside = [n[0] for s in document.sentences for n in NUMBER.finditer(s) if len(n[0]) == len(text) and n[0] not in claim]
        if inside and rng.random() < 0.4:
            return rng.choice(inside)
        at = rng.choice([i for i, c in enumerate(text) if c.isdigit()])
        digit = rng.choice([d for d in "123456789" if d != text[at]])
        return text[:at] + digit + text[at + 1:] if rng.random() < 0.85 or len(text) < 2 or text[-1] == text[-2] or not text[-2:].isdigit() else text[:-2] + text[-1] + text[-2]

    words = WORD_NUMBER.search(claim)
    if words and (rng.random() < 0.4 or not NUMBER.search(claim)):
        return one_of(rng, WORD_NUMBER, claim, lambda m: rng.choice([w for w in ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "fourteen", "twenty", "thirty"] if w != m[0]]))
    return one_of(rng, NUMBER, claim, other)


def date(rng, claim, document):
    return perturbed.replaced(rng, claim, perturbed.OTHER_DATE)


def unit(rng, claim, document):
    return one_of(rng, r"(?<=[\d,.] |[a-z] )(" + "|".join(UNITS) + r")\b", claim, lambda m: rng.choice(UNITS[m[1]]))


def negation(rng, claim, document):
    return perturbed.negated(rng, claim)


def quantity(rng, claim, document):
    return swapped(rng, claim, [(pattern, rng.choice(new)) for pattern, new in QUANTITIES])


def certainty(rng, claim, document):
    return swapped(rng, claim, CERTAINTIES)


def swapped(rng, claim, table):
    """The first pattern that is found, in any order, replaced."""
    table = list(table)
    rng.shuffle(table)
    for pattern, new in table:
        changed = re.sub(pattern, new, claim, count=1)
        if changed != claim:
            return upper(changed) if claim[:1].isupper() else changed
    return claim


def detail(rng, claim, document):
    """Something added that the document does not say."""
    ending = claim[-1:] if claim[-1:] in ".!" else ""
    body = claim[: len(claim) - len(ending)]
    if rng.random() < 0.25:
        m = re.search(r"\b(?:the|an?|his|her|their|its) (?=[a-z])", body)
        if m:
            return f"{body[:m.end()]}{rng.choice(ADJECTIVES)} {body[m.end():]}{ending}"
    tails = [m[0] for s in document.sentences for m in [TAIL.search(s)] if m and m[0] not in claim and s[:30] not in claim]
    new = rng.choice(tails)[1:] if tails and rng.random() < 0.5 else templates.fill(rng, rng.choice(DETAILS))
    if rng.random() < 0.2 and not new.startswith((",", "which")):
        return f"{upper(new)}, {lower(body)}{ending}"
    return f"{body}{'' if new.startswith(',') else ', ' if new.startswith('which') else ' '}{new}{ending}"


def parts_of(sentence):
    """Subject, verb and the rest, where the subject is no pronoun."""
    m = SUBJECT.match(sentence)
    return m if m and len(m[1].split()) < 8 and not re.search(r"\b(?:that|which|who|if|when|because|he|she|it|they|this|there|I|we|you|these|those)\b", m[1], re.I) else None


def merged(rng, claim, document):
    """What another sentence says of its subject, said of this one's."""
    own = parts_of(claim)
    others = [m for s in document.sentences for m in [parts_of(s)] if m and len(s) < 220]
    others = [m for m in others if own and not set(claims.Text(m[1]).stems) & set(claims.Text(own[1]).stems) - claims.STOP]
    if not others:
        return claim
    other = rng.choice(others)
    return f"{own[1]} {other[2]} {other[3]}" if rng.random() < 0.6 else f"{claim.rstrip('.')} and {other[2]} {other[3]}"


def caused(rng, claim, document):
    """Two sentences, one as the reason of the other."""
    others = [s for s in document.sentences if s[:40] != claim[:40] and 4 < len(s.split()) < 22 and re.match(r"[A-Z]", s)]
    if not others or len(claim.split()) > 22 or re.search(r"\bbecause\b|\bafter\b", claim):
        return claim
    other = rng.choice(others).rstrip(".!?")
    return f"{claim.rstrip('.')} {rng.choice(['because', 'because', 'only after', 'so that', 'even though'])} {lower(other)}."


# name: (how, share, whether the document then says the contrary: 1, 0 or unknown)
UNKNOWN = float("nan")
ALL = {"person": (person, 9, 1), "part of a name": (part_of_name, 3, 1), "place": (place, 5, 1), "roles": (roles, 9, 1), "opposite": (opposite, 10, 1), "speaker": (speaker, 5, UNKNOWN), "unattributed": (unattributed, 2, 0), "number": (number, 10, 1), "date": (date, 6, 1),
       "unit": (unit, 4, 1), "negation": (negation, 5, 1), "quantity": (quantity, 6, UNKNOWN), "certainty": (certainty, 6, 0), "detail": (detail, 8, 0), "merged": (merged, 9, UNKNOWN), "caused": (caused, 3, 0)}


def altered(rng, claim, document):
    """(kind, new claim), or None where nothing can be changed."""
    for kind in sorted(ALL, key=lambda one: rng.random() ** (1 / ALL[one][1]), reverse=True):
        new = ALL[kind][0](rng, claim, document)
        if new.lower() != claim.lower() and new not in " ".join(document.sentences):
            return kind, new
    return None


def changed_places(claim, new):
    """The spans of the new claim that differ from the old one; the word behind a place where something is gone."""
    tokens = [list(re.finditer(r"\w+(?:['’]\w+)?|[^\w\s]", text)) for text in (claim, new)]
    out = []
    for tag, _, _, begin, end in difflib.SequenceMatcher(None, *([m[0].lower() for m in part] for part in tokens), autojunk=False).get_opcodes():
        if tag != "equal" and tokens[1]:
            first = min(begin, len(tokens[1]) - 1)
            out.append((tokens[1][first].start(), tokens[1][max(first, end - 1)].end()))
    return out
