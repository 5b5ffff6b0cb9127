"""Text out of files: what a file is, its plain text, what a chunk is, and whether it is fit to use."""
import html.parser
import re
import zlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Sort:
    """How a file is read (form), which genre it is, and its kind where the file's name tells one."""
    form: str
    genre: str
    kind: str = ""


FOREIGN = re.compile(r"/(?!en)[a-z]{2,3}[-_][A-Z]{2}/|/(ar|ca|cs|da|de|el|es|fi|fr|hu|id|it|ja|ko|nb|nl|pl|pt|pt[_-]br|ro|ru|sk|sl|sr|sv|tr|uk|vi|zh|zh[_-](cn|tw|hans|hant))([/_-]|\.UTF-8/)|[._-](de|es|fr|it|ja|ko|pt|pt[_-]br|ru|tr|zh|zh[_-](cn|tw))\.[a-z.]+$", re.I)
NOT_READ = re.compile(r"\.(min|bundle|chunk)\.|\.map$|/(node_modules|locale|locales|search_index|searchindex|genindex|_static|vendor|third_party)|dist/assets|\.d\.[mc]?ts$|package-lock|unminified", re.I)
BY_NAME = [  # the first that matches the path
    (r"/fortunes/([a-z]+/)*[^/.]+$", Sort("fortunes", "document", "quotes")),
    (r"/doc/[^/]*/copyright$|/(licen[cs]e|copying|notice|third.?party)[^/]*$", Sort("plain", "document", "licence")),
    (r"/(change(s|log)|news|history|release.?notes)[^/]*$", Sort("plain", "document", "changelog")),
    (r"/(security|code.of.conduct|privacy|governance)[^/]*\.(md|rst|txt)$", Sort("plain", "document", "policy")),
    (r"/(install|contributing|upgrad|hacking|migrat|getting.?started)[^/]*\.(md|rst|txt|gz)$", Sort("plain", "document", "procedure")),
    (r"/man/([a-z_A-Z.]+/)?man\d[^/]*/[^/]+\.gz$", Sort("man", "document", "man-page")),
    (r"/info/[^/]+\.gz$", Sort("info", "document", "manual")),
    (r"\.dist-info/METADATA$", Sort("metadata", "document", "readme")),
    (r"/readme[^/]*\.html?$", Sort("html", "document", "readme")),
    (r"/readme[^/]*$", Sort("plain", "document", "readme")),
    (r"\.x?html?(\.gz)?$|/help/C/.*\.(page|xml|docbook)$", Sort("html", "document")),
    (r"\.pdf(\.gz)?$", Sort("pdf", "document")),
    (r"/dictd/[^/]+\.dict(\.dz)?$", Sort("plain", "document", "encyclopaedia")),
    (r"/wesnoth/.*\.cfg$", Sort("wesnoth", "chat", "dialogue")),
    (r"/janeaustenr/data/Rdata\.rdb$", Sort("r-data", "document")),
    (r"\.(prompt|prompty|jinja2?|j2|hbs|tmpl|tt2|liquid|mjml)$|(prompt|template)[^/]*\.(md|txt|ya?ml)$|/templates?/[^/]*\.(txt|eml)$", Sort("plain", "document", "template")),
    (r"\.eml$|/test_email/data/[^/]*\.txt$", Sort("plain", "document", "mail")),
    (r"\.(txt|md|mdx|rst|adoc|markdown|pod|text)(\.gz)?$|/doc/[^/]+/(?-i:[A-Z][A-Za-z_-]+)(\.Debian)?(\.gz)?$", Sort("plain", "document")),
    (r"\.(rive|aiml)$|corpus/.*\.ya?ml$", Sort("plain", "chat", "dialogue")),
    (r"\.(json|csv|tsv|log|ya?ml|toml|ini|conf|ids|tab|xml|desktop)(\.gz)?$|/control$|/testcases/.*$|/logs?/[^/]+$", Sort("plain", "tool", "data")),
    (r"\.(py|js|mjs|ts|tsx|c|h|cc|cpp|hpp|pl|pm|rb|go|java|sh|sql|el|lisp|scm|tex|lua|ex|php|R|rs|scd|cmake|m|vim)(\.gz)?$", Sort("plain", "code", "code")),
]
BY_NAME = [(re.compile(pattern, re.I), sort) for pattern, sort in BY_NAME]
COMMON = set("the of and to a in is that for it as be or by with are this on not you can if from an will which at have was has but all your do".split())
FLOOR = {"title-page": 0.0, "table-of-contents": 0.05, "listing": 0.03, "code": 0.02, "data": 0.0, "changelog": 0.06, "encyclopaedia": 0.1, "template": 0.08}


def sort_of(path, language=None):
    """How the file is read; nothing for files in other languages than the package's, which is English unless one is named."""
    path = "/" + path
    if NOT_READ.search(path) or (FOREIGN.search(path) and not language):
        return None
    return next((sort for pattern, sort in BY_NAME if pattern.search(path)), None)


# Plain text

BLOCK = {"p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "dl", "pre", "blockquote", "section", "para", "title", "listitem", "item", "media", "steps", "hr"}
LINE = {"li", "tr", "br", "dt", "dd", "member", "entry"}
SKIPPED = {"script", "style", "nav", "header", "footer", "aside", "noscript", "svg", "select", "button", "form", "head", "info", "template"}
SKIPPED_CLASS = re.compile(r"nav|sidebar|breadcrumb|related|headerlink|footer|menu|toolbar|topbar|search|skip|copyright")


class Stripper(html.parser.HTMLParser):
    """The text of a page without what serves for finding one's way."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts, self.skipping, self.depth, self.pre = [], None, 0, 0

    def handle_starttag(self, tag, attrs):
        named = " ".join(value or "" for name, value in attrs if name in ("class", "id")).lower()
        if self.skipping:
            self.depth += tag == self.skipping
        elif tag in SKIPPED or (tag in ("div", "ul", "ol", "table", "span", "a") and SKIPPED_CLASS.search(named)):
            self.skipping, self.depth = tag, 1
        else:
            self.pre += tag == "pre"
            self.parts.append("\n\n" if tag in BLOCK else "\n- " if tag == "li" else "\n" if tag in LINE else " " if tag in ("td", "th") else "")

    def handle_endtag(self, tag):
        if self.skipping:
            self.depth -= tag == self.skipping
            self.skipping = self.skipping if self.depth else None
        else:
            self.pre = max(0, self.pre - (tag == "pre"))
            self.parts.append("\n\n" if tag in BLOCK else "")

    def handle_data(self, data):
        if not self.skipping:
            self.parts.append(data if self.pre else re.sub(r"\s+", " ", data))


def from_html(page):
    stripper = Stripper()
    stripper.feed(page)
    return "\n".join(line if line.startswith("  ") else line.strip() for line in "".join(stripper.parts).split("\n"))


TITLES = re.compile(r"^[.'](SH|SS|Sh|Ss|TP|PP|P|LP|IP|HP|Pp|It|sp|Bl|El|Bd|Ed|nf|fi|EX|EE|Vb|Ve)\b *(.*)")
KEPT = re.compile(r"^[.'](B|I|BR|BI|IR|IB|RB|RI|SM|SB|MR|UR|MT|Nm|Nd|Fl|Ar|Pa|Xr|Dv|Ev|Sy|Em|Li|Ic|Cm|Op|Dq|Sq|Ql|Fn|Va|Ns|Dl|Er|Ft|Fa|Vt|An|Bx|Fx|Nx|At|Ux|Tn|Pq|Aq)(?= |$) *(.*)")
ROFF = [(r'\\"[^\n]*', ""), (r"\\f(\[[^]]*\]|\(..|.)", ""), (r"\\s[-+]?\d+", ""), (r"\\\*?\((lq|rq|Lq|Rq|dq)|\\\[(lq|rq|dq)\]", '"'), (r"\\\((aq|cq|oq)|\\\[aq\]", "'"), (r"\\\((bu|em|en|mi|hy)", "-"),
        (r"\\\[bu\]", "-"), (r"\\[&|^/,)%:]", ""), (r"\\e|\\\(rs", "\\\\"), (r"\\\*\(..|\\\*\[[^]]*\]|\\\*.", ""), (r"\\[(]..|\\\[[^]]*\]", ""), (r"\\(.)", r"\1")]


def said_by(macro, words, name):
    """The words of a line with a macro: fonts (B, BR, IR) or mdoc (Nm, Fl, Xr)."""
    if macro in ("BR", "BI", "IR", "IB", "RB", "RI"):
        return "".join(word.strip('"') for word in re.findall(r'"[^"]*"|\S+', words))
    if macro in ("B", "I", "SM", "SB", "UR", "MR", "MT"):
        return words.replace('"', "")
    if macro == "Nm":
        return words or name
    words = re.sub(r"^(\S+) (\d)\b", r"\1(\2)", words) if macro == "Xr" else "-" + words if macro == "Fl" else words
    return re.sub(r"\bFl ", "-", re.sub(r"\b(Ar|Pa|Ns|Li|Cm|Op|Ic|Dv|Sy|Em|Va|Xr|Ql|Fa|Nm|Ev|No) ", "", words)).replace('"', "")


def from_man(source):
    """A manual page: macros of man and mdoc dropped, their words kept, lines joined to paragraphs."""
    source = re.sub(r"^\.de.*?^\.\.$", "", source, flags=re.M | re.S)  # macros that the page defines
    lines, kept, name = [], False, (re.findall(r"^\.Nm (\S+)", source, re.M) or [""])[0]
    for line in source.split("\n"):
        if title := TITLES.match(line):
            kept = {"nf": True, "EX": True, "Vb": True, "fi": False, "EE": False, "Ve": False}.get(title[1], kept)
            words = re.sub(r"^Fl ", "-", re.sub(r"^(Va|Ar|Cm|Pa|Dv|Li|Sy|Ic|Ev|Er|Bq|Xo) ", "", title[2])).strip('" ') if title[1] not in ("Bl", "El", "Bd", "Ed", "Vb", "sp") else ""
            lines.append("\n\n" + words + ("\n" if words else ""))
        elif macro := KEPT.match(line):
            lines.append(said_by(macro[1], macro[2], name) + ("\n" if kept else " "))
        elif not line.startswith((".", "'")):
            lines.append(line + ("\n" if kept else " ") if line else "\n\n")
    text = "".join(lines)
    for pattern, replacement in ROFF:
        text = re.sub(pattern, replacement, text)
    return re.sub(r" +", " ", text)


def from_info(source):
    source = re.sub(r"\x1f\n[^\n]*\n|\* Menu:\n(\n?\*[^\n]*\n|\n? {4,}[^\n]*\n)+|\x00\x08\[[^\]]*\x00\x08\]", "\n", source)
    return source.split("Tag Table:")[0].replace("\x1f", "")


def from_wesnoth(source):
    """Who says what in a scenario: `name: words`."""
    said = re.findall(r'speaker *= *"?([\w ]+)"?[^\[]*?message *= *_ *"([^"]+)"', source)
    return "\n\n".join(f"{name.strip()}: {' '.join(words.split())}" for name, words in said)


def from_metadata(source):
    return source.split("\n\n", 1)[-1]


def from_fortunes(source):
    return re.sub(r"\n%+\n", "\n\n", source)


def r_strings(raw):
    """The strings in the data of an R package (books are kept so, a string a line)."""
    found = []
    for at in (match.start() for match in re.finditer(rb"\x78\x9c", raw)):
        try:
            data = zlib.decompressobj().decompress(raw[at:])
        except zlib.error:
            continue
        found.append("\n".join(words.decode("latin-1") for words in re.findall(rb"\x00\x04[\x00-\xff]\x09\x00\x00\x00[\x00-\xff]([\x20-\x7e]*)", data)))
    return "\n\n\n".join(text for text in found if len(text) > 100_000)


READERS = {"plain": str, "html": from_html, "man": from_man, "info": from_info, "wesnoth": from_wesnoth, "metadata": from_metadata, "fortunes": from_fortunes}


def clean(text):
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").replace("\u00a0", " ")
    text = re.sub(".\b", "", text)
    text = re.sub("[\u00ad\u200b\u200c\u200d\u2060\ufeff\u00b6]", "", text)
    for ligature, letters in (("ﬁ", "fi"), ("ﬂ", "fl"), ("ﬀ", "ff"), ("ﬃ", "ffi"), ("ﬄ", "ffl")):
        text = text.replace(ligature, letters)
    return re.sub(r"\n[ \t]*\n\s*\n", "\n\n", re.sub(r"[ \t]+\n", "\n", text)).strip("\n")


# Kinds and fitness

def title_page(text):
    """The first paragraphs of a paper or book up to its summary, where they are short."""
    first = re.split(r"\n\s*\n(?=(?:\d+\.? )?(?:Abstract|Summary|Introduction|Contents)\b)", text[:6000])[0]
    return first if 25 <= len(first.split()) <= 150 else ""


def kind_of(text, sort, kind):
    """The kind of a chunk; nothing for lists of links."""
    lines = [line for line in text.split("\n") if line.strip()]
    if sort.genre != "document":
        return sort.kind
    if len(lines) >= 8 and sum(bool(re.search(r"(\. ?\.|\s)\s*[\divx]{1,4}$", line)) for line in lines) > 0.4 * len(lines) and re.search(r"\. ?\. ?\.|Contents", text):
        return "table-of-contents"
    if not sort.kind and len(re.findall(r"[.!?:;]\s|。", text)) * 50 < len(text.split()):
        return "listing" if sort.form != "html" else "" if len(lines) > 25 else "listing"
    return sort.kind or ("manual" if kind in ("code", "data", "dialogue", "mail") else kind)


def genre_of(kind, genre):
    return {"code": "code", "dialogue": "chat", "data": "tool"}.get(kind, genre)


def fit(text, kind, language=None):
    """In English or the language that is named, readable, no binary and no broken encoding."""
    if re.search("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]|Ã[\u0080-\u00bf]|â€|(\\. ?){200}", text):
        return False
    words = text.split()
    letters = sum(map(str.isalpha, text)) + text.count(" ")
    if not words or max(map(len, words)) > 250 or letters < (0.72 if kind not in ("code", "data", "table-of-contents", "listing") else 0.45) * len(text):
        return False
    common = sum(word.strip(".,;:()\"'").lower() in COMMON for word in words) / len(words)
    if language:
        return common < 0.1
    if len(re.findall("[\u3000-\U0010ffff]", text)) > 3 or len(re.findall("[\u0250-\u1fff]", text)) > 0.03 * len(text):
        return False
    return common >= FLOOR.get(kind, 0.15)
