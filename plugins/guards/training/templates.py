"""Texts written for this project, as templates: one template a line in templates/<label>/<kind>.txt.

In a template `<a~b>` is one of a and b, `{slot}` one line of templates/slots/<slot>.txt (itself a template), `{slot:1}` the
same line wherever the template says `{slot:1}` again (`{slot:2}` another one), `\\n` a line break, and a line that begins with # a comment.
"""
import os
import random
import re
from dataclasses import dataclass

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
CHOICE = re.compile(r"<([^<>]*~[^<>]*)>")
SLOT = re.compile(r"\{([a-z][a-z0-9-]*)(?::(\d+))?\}")


@dataclass(frozen=True)
class Row:
    """A text of a template. Rows of one template stay together when rows are divided: `template` is its name and line."""
    text: str
    label: str
    kind: str
    template: str


def lines(path):
    with open(path, encoding="utf8") as file:
        return [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]


class Slots:
    """The fillers, read when a template first asks for them."""

    def __init__(self, folder=os.path.join(FOLDER, "slots")):
        self.folder, self.known = folder, {}

    def __getitem__(self, name):
        if name not in self.known:
            self.known[name] = lines(os.path.join(self.folder, name + ".txt"))
        return self.known[name]


SLOTS = Slots()


def fill(rng: random.Random, template: str) -> str:
    """One text of the template."""
    chosen, drawn = {}, {}

    def filler(match):
        name, number = match.groups()
        if number is None:
            return rng.choice(SLOTS[name])
        if match[0] not in chosen:
            chosen[match[0]] = fill(rng, other(name))
        return chosen[match[0]]

    def other(name):
        """A line that no other number of the slot has, if there are enough."""
        taken = drawn.setdefault(name, set())
        line = rng.choice(SLOTS[name])
        while line in taken and len(taken) < len(set(SLOTS[name])):
            line = rng.choice(SLOTS[name])
        taken.add(line)
        return line

    while CHOICE.search(template) or SLOT.search(template):
        template = CHOICE.sub(lambda match: rng.choice(match[1].split("~")), template)
        template = SLOT.sub(filler, template)
    return template.replace("\\n", "\n")


def kinds(label):
    folder = os.path.join(FOLDER, label)
    return sorted(name[:-4] for name in os.listdir(folder) if name.endswith(".txt"))


def rows(rng: random.Random, label: str, per_template: int):
    """Different texts of each template of the label, `per_template` at most."""
    for kind in kinds(label):
        for number, template in enumerate(lines(os.path.join(FOLDER, label, kind + ".txt"))):
            texts = {fill(rng, template) for _ in range(per_template)}
            yield from (Row(text, label, kind, f"{label}/{kind}:{number}") for text in sorted(texts))
