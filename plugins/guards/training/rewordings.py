"""Other words for the same: each takes (rng, claim, document) and gives the claim in other words, or less of it, or the claim itself where it finds nothing to do.

What a document says supports all of them. `document` is the list of its sentences.
"""
import re

MONTHS = "January February March April May June July August September October November December".split()
MONTH = "|".join(MONTHS)
SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
ORDINALS = {"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th", "eighth": "8th", "ninth": "9th", "tenth": "10th"}
# `a/b`: each for the other; `a>b`: b for a only
SYNONYMS = [group for group in """purchased/bought/acquired; approximately>about/roughly/around; roughly>about/approximately; began/started; commenced/began; large>big; children/kids; assist/help; assisted/helped;
attempted>tried; obtained>got/received; required/needed; nearly/almost; frequently/often; numerous/many; sufficient/enough; entire/whole; however/but; additionally/also; currently>now/at present;
previously/earlier/formerly; residence>home; physician/doctor; automobile/car; film/movie; firm>company; constructed/built; demolished/torn down; passed away>died; resides/lives; located/situated;
concluded>ended; selected/chose/picked; permitted/allowed; prohibited/banned/forbade; injured/hurt; slain>killed; employed/hired; dismissed/fired; resigned/stepped down/quit; announced>said/declared;
stated/said; told>informed; revealed/disclosed; claimed>maintained; warned/cautioned; criticised/criticized; praised/commended; approved/endorsed; rejected/turned down; cancelled>called off;
postponed/put off/delayed; increased>rose/grew; rose by>grew by/increased by; decreased>fell/dropped/declined; fell by>decreased by/dropped by; rapid/fast/quick; difficult>hard; important/significant; main>chief/principal; famous/well-known/renowned;
wealthy/rich; ill>sick; error/mistake; choose/select/pick; modify>change/alter; remove/delete; create>make/produce; display>show; contain>include/hold; contains>includes/holds;
permits>allows/lets; requires/needs; obtains>gets; provides>offers/gives; indicates>shows; specifies>states; ensures/guarantees; prevents>stops; entire/complete; default>standard; in order to>to;
such as>like; as well as>and; because>since/as; although>though/even though; whether or not>whether; prior to/before; following the>after the; in addition to/besides; a number of/several; the majority of>most;
more than>over; less than>under/fewer than; at least/no fewer than; as many as>up to; the United States/the US/the U.S./America; the United Kingdom/the UK/Britain; the European Union/the EU;
percent/per cent; metres/meters; kilometres/km/kilometers; police officers/police; lawmakers/legislators; MPs/members of parliament; spokesman/spokesperson; chairman/chair; chief executive/CEO; victory/win;
defeat/loss; match>game; championship/title; debut/first appearance; novel/book; song>track; founded>established/set up; created>set up; married>wed; gave birth to>had; graduated from>finished; taught at>was a teacher at;
vehicle/car; weapon/gun; blaze/fire; crash>accident; inquiry/investigation; probe/investigation; lawsuit>suit; agreement/deal; funding/money; autumn>fall; vacation>holiday; apartment>flat; scientists/researchers;
study/research; discovered>found; demonstrated>showed; suggests>indicates; observed>saw; participants>subjects; elderly>old; annually/every year/each year; monthly/every month; daily/every day; twice/two times;
primarily/mainly/mostly; solely/only; initially/at first; eventually/in the end; immediately/at once; recently/lately; several>some; departed>left; arrived>came; returned/came back;
remained>stayed; received>was given; performed>carried out; conducted>carried out; produced>made; published>released/brought out; unveiled/presented; launched>started; opposed>was against; supported>backed;
defeated>beat; beat>defeated; won>took; lost in>was beaten in; scored/netted; suffered/sustained; fled>escaped; arrested/detained; sentenced>condemned; acquitted/cleared""".replace("\n", " ").split("; ")]
SAME = {}
for group in SYNONYMS:
    words = re.split("[/>]", group)
    for one in words[:1] if ">" in group else words:
        SAME.setdefault(one, []).extend(other for other in words if other != one)
SAME_PATTERN = re.compile(r"\b(" + "|".join(sorted(map(re.escape, SAME), key=len, reverse=True)) + r")\b")
CONTRACTED = {"is not": "isn't", "are not": "aren't", "was not": "wasn't", "were not": "weren't", "do not": "don't", "does not": "doesn't", "did not": "didn't", "cannot": "can't", "can not": "can't",
              "could not": "couldn't", "will not": "won't", "would not": "wouldn't", "has not": "hasn't", "have not": "haven't", "had not": "hadn't", "should not": "shouldn't", "it is": "it's",
              "he is": "he's", "she is": "she's", "they are": "they're", "we are": "we're", "you are": "you're", "they have": "they've", "we have": "we've"}
EXPANDED = {short: long for long, short in CONTRACTED.items() if long != "can not"}
# past: participle, of verbs whose passive says the same
PARTICIPLES = dict(pair.split("/") for pair in """wrote/written built/built founded/founded designed/designed directed/directed bought/bought opened/opened defeated/defeated produced/produced created/created
published/published developed/developed introduced/introduced discovered/discovered invented/invented painted/painted approved/approved rejected/rejected released/released replaced/replaced supported/supported
used/used won/won beat/beaten led/led composed/composed edited/edited recorded/recorded signed/signed sold/sold found/found made/made sent/sent killed/killed arrested/arrested criticised/criticised
praised/praised accused/accused appointed/appointed elected/elected hired/hired fined/fined sentenced/sentenced treated/treated examined/examined described/described performed/performed funded/funded
organised/organised organized/organized hosted/hosted sponsored/sponsored translated/translated repaired/repaired destroyed/destroyed damaged/damaged closed/closed cancelled/cancelled postponed/postponed
launched/launched acquired/acquired owned/owned managed/managed taught/taught chose/chosen gave/given took/taken drew/drawn drove/driven flew/flown stole/stolen broke/broken wore/worn chaired/chaired
proposed/proposed adopted/adopted vetoed/vetoed welcomed/welcomed ordered/ordered banned/banned tested/tested measured/measured reviewed/reviewed presented/presented delivered/delivered planted/planted
rescued/rescued visited/visited joined/joined married/married coached/coached trained/trained scored/scored saved/saved""".split())
PASTS = {participle: past for past, participle in PARTICIPLES.items()}
DETERMINED = r"(?:(?:[Tt]he|[Aa]n?|[Hh]is|[Hh]er|[Tt]heir|[Ii]ts|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive) )(?:[\w'’-]+ ){0,4}?[\w'’-]+"
PERSON = r"(?:[A-Z][\w'’-]*\.? ){0,3}[A-Z][\w'’-]+"
NOUN = rf"(?:{DETERMINED}|{PERSON})"
TAIL = r"(?: (?:in|on|at|after|before|during|for|with|to|from|since|until) [^.]*)?"
LEADING = re.compile(r"^((?:In|On|At|After|During|Before|Since|By|From|For|With|Under|Despite|Until|Within|According to) [^,;]{2,45}), ([^,;]{3}.+?)([.!?]?)$")
PRONOUN = {"he": "He", "she": "She"}


def upper(text):
    return text[:1].upper() + text[1:]


def lower(text):
    """The first letter small, unless a name begins there."""
    return text[:1].lower() + text[1:] if re.match(r"(The|A|An|In|On|At|After|During|Before|Since|By|From|For|With|Under|Until|It|He|She|They|This|That|These|Those|His|Her|Their|Its|There|Some|Most|Many|All|Two|Three|Several|If|When|While|We|You|Each|Every|No|One|Such|Both|Another|Other|To|As|Although|However|Then|Its|Not|What|How|Where) ", text) else text


def one_of(rng, pattern, text, change):
    """One match of the pattern changed."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    at = rng.choice(found)
    return text[:at.start()] + str(change(at)) + text[at.end():]


def grouped(value, mark):
    return f"{value:,}".replace(",", mark)


def count_forms(value):
    """Ways to write a count."""
    out = [grouped(value, ","), grouped(value, " "), grouped(value, "."), str(value)]
    if value % 1000 == 0 and value < 1_000_000:
        out += [f"{value // 1000}k", f"{value // 1000} thousand", f"{value // 1000}K"]
    if value >= 1_000_000 and value % 100_000 == 0:
        out += [f"{value / 1e6:g} million", f"{value / 1e6:g}m"]
    if value >= 10_000 and value % 1000:
        out += [f"{near} {grouped(round(value, -3), ',')}" for near in ("about", "roughly", "around")]
    return out


def numbers(rng, claim, document):
    def counted(m):
        forms = [form for form in count_forms(int(re.sub(r"\D", "", m[0]))) if form != m[0]]
        return rng.choice(forms)

    def millions(m):
        value = round(float(m[1]) * {"million": 1e6, "billion": 1e9, "thousand": 1e3}[m[2]])
        return rng.choice([grouped(value, ","), grouped(value, " "), f"{m[1]}{m[2][0]}", f"{m[1].replace('.', ',')} {m[2]}"])

    ways = [(r"(?<![\w.,$€£])\d{1,3}(?:[,. ]\d{3})+(?![\w,.]?\d)", counted), (r"(?<![\w.,$€£])(\d{1,3}(?:\.\d)?) (million|billion|thousand)\b", millions),
            (r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)\b", lambda m: SMALL.index(m[0])),
            (r"(?<![\w.,$€£:/-])(?:[2-9]|1\d|20)(?= [a-z])(?! (?:January|February|per|a\.m|p\.m|million|billion|thousand))", lambda m: SMALL[int(m[0])]),
            (r"(?<=\d) ?%|(?<=\d) per ?cent\b", lambda m: rng.choice([" percent", " per cent", "%"])),
            (r"\$(\d[\d,.]*\d|\d)(?! ?(?:million|billion|m\b|bn))", lambda m: f"{m[1]} dollars"), (r"€(\d[\d,.]*\d|\d)(?! ?(?:million|billion|m\b|bn))", lambda m: f"{m[1]} euros"),
            (r"\b(?:" + "|".join(ORDINALS) + r")\b", lambda m: ORDINALS[m[0]]), (r"\b(?:half of)\b", lambda m: "50 % of")]
    rng.shuffle(ways)
    for pattern, change in ways:
        new = one_of(rng, pattern, claim, change)
        if new != claim:
            return new
    return claim


def dates(rng, claim, document):
    def written(day, month, year):
        n = MONTHS.index(month) + 1
        suffix = "th" if 10 < int(day) < 14 else {"1": "st", "2": "nd", "3": "rd"}.get(day[-1], "th")
        year = f" {year}" if year else ""
        forms = [f"{int(day)} {month}{year}", f"{month} {int(day)}{',' if year else ''}{year}", f"the {int(day)}{suffix} of {month}{year}", f"{month[:3]} {int(day)}{',' if year else ''}{year}", f"{month} {int(day)}{suffix}{',' if year else ''}{year}"]
        return forms + [f"{year.strip()}-{n:02}-{int(day):02}", f"{int(day)} {month[:3]}{year}"] if year else forms

    found = [*re.finditer(rf"\b(?P<month>{MONTH}) (?P<day>\d\d?)(?:st|nd|rd|th)?\b(?:,? (?P<year>\d{{4}}))?", claim), *re.finditer(rf"\b(?P<day>\d\d?)(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH})\b(?:,? (?P<year>\d{{4}}))?", claim)]
    if not found:
        return one_of(rng, rf"\b({MONTH}) (?:of )?(\d{{4}})\b", claim, lambda m: rng.choice([m[2], f"{m[1][:3]} {m[2]}", f"{m[1]} of {m[2]}"]))
    m = rng.choice(found)
    forms = written(m["day"], m["month"], m["year"])
    before = claim[:m.start()]
    if before.endswith(("on ", "On ")) and rng.random() < 0.3:
        before, forms = before[:-3] + ("in " if before.endswith("on ") else "In "), [m["month"] + (f" {m['year']}" if m["year"] else "")]
    return before + rng.choice(forms) + claim[m.end():]


def contracted(rng, claim, document):
    table = CONTRACTED if rng.random() < 0.6 else EXPANDED
    return one_of(rng, r"\b(" + "|".join(map(re.escape, table)) + r")\b", claim, lambda m: table[m[0]])


def synonyms(rng, claim, document):
    for _ in range(rng.randint(1, 2)):
        claim = one_of(rng, SAME_PATTERN, claim, lambda m: rng.choice(SAME[m[0]]))
    return claim


def voice(rng, claim, document):
    """Active for passive, passive for active."""
    m = re.match(rf"^({NOUN}) (was|were) (?:({'|'.join(PASTS)})) by ({NOUN})({TAIL})([.!?]?)$", claim)
    if m:
        return f"{upper(m[4])} {PASTS[m[3]]} {lower(m[1])}{m[5]}{m[6]}"
    m = re.match(rf"^({NOUN}) ({'|'.join(PARTICIPLES)}) ({NOUN})({TAIL})([.!?]?)$", claim)
    if not m:
        return claim
    many = re.match(r"(?i)(two|three|four|five) |.*[^s']s$", m[3]) and not re.fullmatch(PERSON, m[3])
    return f"{upper(m[3])} {'were' if many else 'was'} {PARTICIPLES[m[2]]} by {lower(m[1])}{m[4]}{m[5]}"


def moved(rng, claim, document):
    """A phrase from the front to the end."""
    m = LEADING.match(claim)
    return f"{upper(m[2])} {m[1][:1].lower()}{m[1][1:]}{m[3]}" if m else claim


def shortened(rng, claim, document):
    """Without a phrase, a clause or what stands in brackets."""
    ways = [(r" \([^()]{2,80}\)", ""), (r", (?:which|who|where|whose|whom)\b[^,.;]{5,90}, ", " "), (r", (?:which|who|where|whose|while|although|because|as well as|including|adding|making|leaving|with)\b[^.;]{5,120}(?=[.]?$)", ""),
            (r"^(?:In|On|At|After|During|Before|Since|By|From|According to) [^,;]{2,45}, (?=\w)", ""), (r" (?:in|on|at|during|since) (?:(?:January|February|March|April|May|June|July|August|September|October|November|December)\b )?(?:\d\d?, )?\d{4}(?=[.]?$)", ""),
            (r", (?:a|an|the) [^,.;]{5,60}, (?=(?:was|is|were|are|had|has|said|\w+ed)\b)", " "), (r" (?:because|after|before|while|when|so that|in order to)\b [^.;,]{8,100}(?=[.]?$)", ""),
            (r"^(?:However|Moreover|Furthermore|In addition|Therefore|Thus|Also|Meanwhile|Finally|For example|Then|So|But|And),? ", ""), (r" (?:also|then|very|quite|just|really|still|later|recently|successfully|currently)(?= \w)", "")]
    rng.shuffle(ways)
    for pattern, new in ways:
        cut = re.sub(pattern, new, claim, count=1)
        if cut != claim and len(cut.split()) >= 4:
            return upper(cut)
    return claim


def pronoun(rng, claim, document):
    """He, she or it for the name at the beginning, where the document goes on so."""
    m = re.match(rf"^({PERSON})(?= (?:is|was|has|had|will|said|\w+ed|wrote|won|became|began|left|took|made|led)\b)", claim)
    if not m or m[1] in ("The", "This", "There", "It", "He", "She", "They", "These", "That", "Those"):
        return claim
    text = " ".join(document).lower()
    counts = {one: len(re.findall(rf"\b(?:{one})\b", text)) for one in ("he|his|him", "she|hers?", "it|its")}
    if not max(counts.values()):
        return claim
    return {"h": "He", "s": "She", "i": "It"}[max(counts, key=counts.get)[0]] + claim[m.end():]


def reported(rng, claim, document):
    """Another way to say who said it."""
    for pattern in (r'^["“](?P<said>[A-Z][^"”]{10,200})[,.]["”] (?:said|says) (?P<who>[^".]{3,60})\.?$', r'^["“](?P<said>[A-Z][^"”]{10,200})[,.]["”] (?P<who>[^".]{3,40}) (?:said|says)\.?$', r"^(?P<who>[A-Z][\w'’. -]{2,40}) (?:said|says|stated|announced|explained) that (?P<said>.{10,200}?)\.?$",
                    r"^According to (?P<who>[^,]{3,50}), (?P<said>.{10,200}?)\.?$", r"^(?P<said>[A-Z].{10,160}), (?P<who>[^,.]{3,40}) (?:said|says)\.?$"):
        m = re.match(pattern, claim)
        if m:
            who, said = m["who"], m["said"]
            return rng.choice([f"{upper(who)} said that {lower(said)}.", f"According to {who}, {lower(said)}.", f"{upper(said)}, {who} said.", f"{upper(said)}, according to {who}.", f"{upper(who)} says {lower(said)}."])
    return claim


def plain(rng, claim, document):
    """Otherwise typed."""
    return rng.choice([claim.rstrip("."), claim.replace("’", "'").replace("“", '"').replace("”", '"'), claim.replace(" - ", " – ")])


ALL = [(shortened, 5), (synonyms, 5), (numbers, 6), (dates, 5), (voice, 4), (pronoun, 2), (moved, 3), (reported, 3), (contracted, 2), (plain, 1)]


def reworded(rng, claim, document, most=3):
    """The claim in other words, or as it is."""
    for _ in range(rng.choice([0, 1, 1, 2, most])):
        for how in sorted(ALL, key=lambda one: rng.random() ** (1 / one[1]), reverse=True):
            new = how[0](rng, claim, document)
            if new != claim:
                claim = new
                break
    return re.sub(r" {2,}", " ", claim)
