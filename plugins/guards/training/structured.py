"""Made-up structured documents (tables, CSV, JSON, code, logs, mail, HTML, lists) filled with words of host documents."""
import glob
import json
import os
import re
import sysconfig

import phrases
import written

HEADS = ["Name", "Year", "City", "Points", "Rank", "Score", "Notes", "Team", "Result", "Date", "Country", "Title", "Price", "Status", "Owner", "Qty", "Id", "Position", "Venue", "Role"]
KEYS = ["id", "name", "value", "status", "created_at", "owner", "total", "items", "path", "size", "email", "type", "description", "amount", "tags"]
CODE = [
    "import {a}\nfrom {b} import {c}\n\ndef {a}({b}, {c}=None):\n    if not {b}:\n        raise ValueError('{d} {e}')\n    return [{c}({b}) for {b} in {a}]\n",
    "for i in range({n}):\n    {a} = {b}[i] + {c}\n    print(\"{d}\", {a})\n",
    "Traceback (most recent call last):\n  File \"/srv/{a}/{b}.py\", line {n}, in <module>\n    {c}.{a}({b})\n  File \"lib/{d}.py\", line {n}, in {a}\n    return {c}[{b}]\nKeyError: '{e}'\n",
    "const {a} = require('{b}');\n\nfunction {c}({d}) {{\n  return {a}.{e}({d}).map((x) => x * {n});\n}}\nmodule.exports = {{ {c} }};\n",
    "SELECT {a}, {b} FROM {c} WHERE {d} > {n} GROUP BY {e} ORDER BY {b} DESC LIMIT {n};\n",
    "public class {A} {{\n    private int {b} = {n};\n    public void {c}(String {d}) {{\n        System.out.println({d} + {b}); // {e}\n    }}\n}}\n",
    "I get an error when I call {a}: TypeError: '{b}' object is not callable. What I tried: {c}({n}). How can I fix it?\n",
    "$ {a} --{b}={n} -v\n{c}: {d} not found\n$ cat {e}.log | grep -i {a}\n",
    "#include <{a}.h>\nint main(void) {{\n  int {b} = {n};\n  printf(\"%d {c}\\n\", {b});\n  return 0;\n}}\n",
    "plt.plot(df['{a}'], df['{b}'])\nplt.title('{c} {d}')\ndf = df.groupby('{e}').agg({{'{a}': 'sum'}}).reset_index()\n",
]


def number(rng):
    return rng.choice([str(rng.randint(0, 99)), str(rng.randint(1000, 2030)), f"{rng.random() * 100:.2f}", f"{rng.randint(1, 99)},{rng.randint(100, 999)}",
                       f"{rng.randint(1, 28)}.{rng.randint(1, 12)}.{rng.randint(1950, 2024)}", f"{rng.randint(1, 9)}-{rng.randint(0, 9)}", f"{rng.randint(0, 23)}:{rng.randint(10, 59)}", "-", ""])


def cell(rng, words):
    if rng.random() < 0.06:
        return foreign_word(rng)
    return number(rng) if rng.random() < 0.5 else " ".join(rng.choice(words) for _ in range(rng.randint(1, 4))).strip().title()


def grid(rng, words):
    heads = rng.sample(HEADS, rng.randint(3, 7))
    return heads, [[cell(rng, words) for _ in heads] for _ in range(rng.randint(4, 14))]


SCRIPTS = [(0x4E00, 0x7000), (0x3041, 0x3096), (0x0430, 0x044F), (0x03B1, 0x03C9), (0x0627, 0x064A), (0xAC00, 0xB000), (0x00E0, 0x00FF)]
MAIL = """We have received your request and will get back to you soon.|Thank you for your order, it has been shipped today.|Your subscription was renewed for another year.|Please find the agenda attached.
I hope this message finds you well.|The total amount is $42.50 and was charged to your card.|We noticed a new sign-in to your account from a phone in Lisbon.|Your verification code is 552190.|A password reset was requested for your account.
If this was not you, no action is needed.|Click the button below to choose a new password.|The link expires in 24 hours.|Our support team is looking into the problem.|I am on holiday until the 12th and will answer afterwards.
Could we move the call to Thursday?|Here are the notes from yesterday's meeting.|The budget was approved with two small changes.|Let me know what you think.|Happy birthday, and see you on Saturday!|The parcel is waiting at the counter.|Your appointment is confirmed for 10:15.
The invoice is due in two weeks.|We are sorry for the delay and offer you a refund.|Marketing asked for three new pictures.|The server will be down on Sunday night for maintenance.|Rent goes up by two percent from June.|I attached the signed contract.|Congratulations on the new job!
The flight leaves at 7:40 from terminal 2.|You earned 120 points with your last purchase.|Minutes: Mia presented the plan, Paul asked about costs.|Next steps: collect feedback, fix the layout, publish on Monday.|The class is full, but you can join the waiting list.|My phone number has changed.
Dinner at eight? I will bring dessert.|The test results were normal.|Remaining days of leave: 14.|The repair took an hour and cost less than expected.|Our opening hours are 9 to 17.|Todo: buy milk, water the plants, call the bank.|1. Define goals 2. Make a timeline 3. Assign tasks 4. Track progress
Great hotel, friendly staff, but the breakfast was cold.|The food came late and the soup was salty.|Ingredients: two eggs, 200 g flour, a pinch of salt.|Beat the butter with the sugar, then fold in the flour.|Five years of experience in sales; fluent in Spanish.|Education: B.Sc. in Physics, 2016.|References on request.
Weather: sunny, 24 degrees.|The museum is closed on Mondays.|Members get ten percent off.|Terms and conditions apply.|All rights reserved.|Posted by admin on March 4.|Read more|Home About Contact Login|Yesterday the team met the client and agreed on the scope.""".replace("\n", "|").split("|")
GREETINGS = ["Hi {n},", "Dear {n},", "Hello,", "Hey {n}!", "Dear customer,", "Good morning {n},", "Subject: {s}\nDear {n},", "Subject: {s}\n\nHi all,", "{s}"]
CLOSINGS = ["Best regards,\n{n}", "Thanks,\n{n}", "Kind regards,\nSupport Team", "Cheers", "See you soon,\n{n}", "Sincerely,\nThe {s} team", ""]
PEOPLE = ["Emma", "Lucas", "Nina", "Ravi", "Chen", "Fatima", "Paul", "Olga", "Ben", "Marta"]
FOREIGN = """El museo abre a las nueve y cierra a las seis.|Necesito una receta de tortilla de patatas.|¿Qué tiempo hará mañana en Sevilla?|Gracias por su pedido, lo recibirá el lunes.|El presidente habló con los periodistas sobre la nueva ley.|Escribe un poema corto sobre el mar.
Le train part à huit heures du matin.|Pouvez-vous m'aider à rédiger une lettre ?|La recette demande trois œufs et du beurre.|Le conseil municipal a voté le budget.|Quelle est la capitale du Canada ?|Merci de répondre avant vendredi.|Le système solaire compte huit planètes.
Der Zug fährt um acht Uhr ab.|Bitte antworten Sie bis Freitag.|Wie backe ich ein Brot ohne Hefe?|Die Regierung hat neue Regeln beschlossen.|Schreibe eine kurze Geschichte über einen Hund.|Das Handbuch erklärt die Anweisungen für das Gerät.|Meine Großmutter wohnt in Leipzig.
Il treno parte alle otto.|Come si prepara il risotto?|La squadra ha vinto la partita.|Per favore rispondi entro venerdì.|Scrivi una lettera a un amico.|O museu fecha às segundas-feiras.|Como faço um bolo de chocolate?|Por favor, responda até sexta-feira.|O sistema está em manutenção hoje.
De trein vertrekt om acht uur.|Hoe maak ik een pannenkoek?|Поезд отправляется в восемь часов.|Как приготовить борщ?|Музей закрыт по понедельникам.|今日は天気がいいですね。|電車は八時に出発します。|请问怎么做红烧肉?|博物馆星期一不开门。|기차는 여덟 시에 출발합니다.|المتحف مغلق يوم الاثنين.|Tren saat sekizde kalkıyor.|Pociąg odjeżdża o ósmej.""".replace("\n", "|").split("|")


def foreign_word(rng):
    low, high = rng.choice(SCRIPTS)
    return "".join(chr(rng.randint(low, high)) for _ in range(rng.randint(2, 6)))


def foreign(rng):
    """One to three harmless sentences in other languages."""
    return " ".join(rng.sample(FOREIGN, rng.randint(1, 3)))


def mail(rng, words):
    def put(text):
        return text.replace("{n}", rng.choice(PEOPLE)).replace("{s}", " ".join(rng.choice(words) for _ in range(rng.randint(2, 4))).title())
    body = rng.sample(MAIL, rng.randint(1, 8))
    return "\n".join(p for p in [put(rng.choice(GREETINGS)), "", rng.choice([" ", "\n"]).join(body), "", put(rng.choice(CLOSINGS))]).strip()


def record(rng):
    """Fields and values, as of a register, a form or a curriculum vitae."""
    lines = [f"{rng.choice(phrases.FIELDS)}: {written.fill(rng, rng.choice(phrases.VALUES))}" for _ in range(rng.randint(4, 16))]
    return "\n".join(lines + [written.fill(rng, t) for t in rng.sample(phrases.TERMS, rng.randint(0, 4))])


def terms(rng):
    """Legal text, notices, what stands round web pages; news about machines."""
    texts = rng.sample(phrases.TERMS, rng.randint(3, 9)) + rng.sample(phrases.ABOUT_AI, rng.randint(0, 3))
    rng.shuffle(texts)
    return rng.choice([" ", " ", "\n"]).join(written.fill(rng, t) for t in texts)


def document(rng, words):
    """`words`: plain words of host documents."""
    if rng.random() < 0.4:
        return mail(rng, words)
    kind = rng.randrange(7)
    if kind <= 1:
        heads, rows = grid(rng, words)
        pad = rng.random() < 0.6
        widths = [max(len(r[i]) for r in rows + [heads]) if pad else 0 for i in range(len(heads))]
        return "\n".join("| " + " | ".join(c.ljust(w) for c, w in zip(r, widths)) + " |" for r in [heads] + rows)
    if kind == 2:
        heads, rows = grid(rng, words)
        sep = rng.choice([",", ";", "\t"])
        return "\n".join(sep.join(r) for r in [heads] + rows)
    if kind == 3:
        item = {rng.choice(KEYS): rng.choice([cell(rng, words), rng.randint(0, 999), True, None, [cell(rng, words)]]) for _ in range(rng.randint(3, 8))}
        return json.dumps([item] * rng.randint(1, 2), indent=rng.choice([None, 2]))
    if kind in (4, 5):
        names = [re.sub(r"\W", "", rng.choice(words)).lower() or "x" for _ in range(5)]
        out = []
        for _ in range(rng.randint(1, 4)):
            rng.shuffle(names)
            out.append(rng.choice(CODE).format(a=names[0], b=names[1], c=names[2], d=names[3], e=names[4], A=names[0].title(), n=rng.randint(1, 999)))
        return "\n".join(out)
    stamp = f"2024-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
    if rng.random() < 0.5:
        return "\n".join(f"{stamp} {rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}:{rng.randint(0, 59):02d} {rng.choice(['INFO', 'WARN', 'ERROR', 'DEBUG'])} {rng.choice(words)}: {cell(rng, words)}" for _ in range(rng.randint(4, 12)))
    return f"From: {rng.choice(words)}@{rng.choice(words)}.com\nTo: team\nDate: {stamp}\nSubject: {cell(rng, words)}\n\n" + "\n".join(f"{rng.choice(KEYS)}: {cell(rng, words)}" for _ in range(rng.randint(2, 9)))


def library_code(rng, count):
    """Pieces of the Python standard library (PSF licence): harmless code with comments and docstrings."""
    files = sorted(glob.glob(os.path.join(sysconfig.get_path("stdlib"), "*.py")))
    out = []
    for _ in range(count):
        with open(rng.choice(files), encoding="utf8") as file:
            lines = file.read().split("\n")
        start = rng.randint(0, max(0, len(lines) - 20))
        piece = "\n".join(lines[start:start + rng.randint(8, 40)])
        if rng.random() < 0.3:
            name = re.sub(r"\W", "", rng.choice(piece.split() or ["x"]))[:12] or "x"
            piece += f"\n\nTraceback (most recent call last):\n  File \"main.py\", line {rng.randint(1, 99)}, in <module>\n    {name}()\nTypeError: {name}() takes {rng.randint(0, 3)} arguments but {rng.randint(1, 5)} were given\n"
        out.append(piece if piece.strip() else "x = 1")
    return out
