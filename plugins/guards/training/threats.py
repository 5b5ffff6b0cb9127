"""Threats, contempt and wishes of death in plain words, harmless sentences that look like them, and how the same sentence is typed
by different people. Written for this project (no row of any corpus). {slots}: written.SLOTS and those below.
"""
import re

import written

SLOTS = {
    "kin": ["your kids", "your daughter", "your little boy", "your mother", "your wife", "your family", "your dog", "your parents", "your sister", "those you love"],
    "organ": ["throat", "face", "neck", "legs", "fingers", "skull", "spine", "teeth", "arms", "ribs", "nose", "tongue"],
    "wound": ["cut", "slit", "break", "smash", "slash", "crush", "snap", "rip open", "bash in", "carve up"],
    "where": ["where you live", "where you park your car", "which bus you take", "where you work", "what time you come home", "where you sleep", "your address", "which school they go to", "where your office is", "when you are alone"],
    "menace": ["Be careful.", "Watch out.", "Think about that.", "Sleep well.", "Tick tock.", "You have been warned.", "Last warning.", "Your choice.", "Just saying.", "It would be a shame if something happened.", "Accidents happen.", "You will see.", "Don't look behind you."],
    "dumb": ["stupid", "dumb", "pathetic", "useless", "worthless", "disgusting", "an embarrassment", "a waste of space", "a failure", "repulsive", "hideous", "brainless", "a joke", "nothing", "unbearable", "a disappointment to everybody", "so ugly", "thick as a brick", "vile"],
    "despise": ["hate", "despise", "loathe", "can't stand", "detest", "am sick of"],
    "ache": ["bleed", "have pain", "feel sore", "have a burning feeling", "itch", "have cramps", "spot", "be dry", "be swollen"],
    "after": ["after sex", "during sex", "after giving birth", "when I take the pill", "after menopause", "during my period", "after using a condom", "with a new IUD", "when I pee", "after a smear test", "in the first trimester", "after a vasectomy"],
    "bodypart": ["vagina", "penis", "breast", "testicle", "nipple", "anus", "cervix", "foreskin", "scrotum", "vulva", "groin", "uterus"],
    "symptom": ["a lump in", "a rash on", "pain in", "itching around", "a discharge from", "a sore on", "swelling of", "numbness in", "a burning feeling in", "redness of"],
    "doctor": ["gynaecologist", "urologist", "GP", "midwife", "pharmacist", "nurse", "dermatologist"],
    "chore": ["this commute", "this homework", "the heat", "my back", "these shoes", "the suspense", "this deadline", "my feet", "the waiting", "that song", "hay fever", "the exam season"],
    "treat": ["a pizza", "a cold beer", "a good night's sleep", "that jacket", "a coffee right now", "her handwriting", "tickets to that show", "a week off", "your hair", "a parking space"],
    "matter": ["the recycling", "the new timetable", "my order", "the loose tile", "our holiday", "the bill", "your parcel", "the concert", "the borrowed ladder", "the bake sale"],
}
SLOTS = {**written.SLOTS, **SLOTS}

THREAT = """I know {where}. {menace}|I know {where}, and I know {where}.|I will find out where you live and {wound} your {organ}.|We know where {kin} sleep. {menace}|Nice house you have. {menace}|I saw {kin} at the playground today. {menace}|Pretty {fem} you have. {menace}
I'm going to {wound} your {organ}.|Somebody is going to {wound} your {organ} one of these days.|If I see you again I'll {wound} your {organ}.|I'll come to your house tonight and {wound} your {organ}|You won't live to see {day}.|You will not make it home tonight.|Enjoy your last {day}.|Your days are numbered.|Start digging your own grave.|You're dead when I get my hands on you.
You are a dead man.|You will pay for this with your blood.|You will regret this for the rest of your short life.|I hope {kin} get hurt because of you.|Would be sad if something happened to {kin}.|It would be a pity if {kin} had an accident.|Tell {kin} goodbye.|Give me the money or {kin} will never come home.|Pay up or we will hurt {kin}.|Do as I say, or {kin} will suffer.
Keep quiet or I will make you quiet for ever.|Talk to the police and you are finished.|One word to anybody and I'll bury you.|I'll make you wish you had never been born.|I am coming for you.|We are coming for you and {kin}.|You can run but we will find you.|I have been watching you from across the street. {menace}|I'm outside your house right now. {menace}|They will never find your body.
Next time it will not be the car that I {wound}.|I'm gonna make you bleed.|You better not come to school on {day} if you want to stay alive.|Nobody in that building will get out alive on {day}.|If you leave me I will kill you and then myself.|If I can't have you, nobody will.|Take the video down or I will come after you with a bat.|I will hunt you down.|I swear you are going to bleed for it.|I'll put you in hospital.|I'll put you six feet under.
Everybody who votes for it should be lined up against a wall.|A bullet is too good for {person}.|Someone ought to put a bullet in {person}.|I would not cry if {person} got shot.|I'll throw acid in your face.|We will burn your shop down with you in it.|I have a knife and your name on it.|Remember {name}? You are next.""".replace("\n", "|").split("|")
CONTEMPT = """You are {dumb}.|You're {dumb}.|you are so {dumb}|u are {dumb}|Everyone thinks you are {dumb}.|God, you're {dumb}.|I {despise} you.|I {despise} you so much.|We all {despise} you.|I really {despise} you and everything you stand for.|She is {dumb} and everybody knows.|He's {dumb}, and so is his brother.|You people are {dumb}.|Your whole family is {dumb}.|Are you always this {dumb}?|How can anybody be so {dumb}?
Nobody likes you.|No one wants you around.|Nobody will ever want you.|You make me sick.|You make me want to vomit.|I can't stand the sight of you.|Your mother should have had an abortion.|You were a mistake.|You should never have been born.|You are the worst person I ever met.|You have the brain of a sheep.|Look at you, {dumb} and alone.|What is wrong with you, are you {dumb}?|Even a child is smarter than you.|You smell and you look like garbage.
Get out of my sight, you are {dumb}.|You do not deserve to be loved.|You're not even human.|You don't deserve to live.|You deserve everything bad that happens to you.|Drop dead.|Go to hell.|Rot in hell.|I hope you choke.|I hope you get run over by a bus.|I hope your plane crashes.|I hope you die alone.|Hope you never wake up.|Please die.|Do us all a favour and die.|Why are you still alive?""".replace("\n", "|").split("|")
DEATH_WISH = """Nobody would miss you if you were gone.|No one would care if you disappeared.|The world would be better without you.|Everybody would be happier if you were dead.|Your parents would be relieved if you were gone.|Do everyone a favour and end it.|Why don't you just end it already?|You have nothing to live for, so why wait?|Just do it, jump.|If I were you I would have ended it long ago.|There is a bridge over there, use it.|You know what to do with those pills.|Take the whole bottle, nobody will notice.
Stop whining and just {act}.|People like you should not go on living.|Have you thought of simply not existing?|Your suicide would be the best news of the year.|You are a burden; it is time to go.|Nobody would come to your funeral.""".replace("\n", "|").split("|")
GLOOM = """Nobody would miss me if I was gone.|no one would care if I disappeared|They would be better off without me.|I don't see a reason to be alive any more.|I do not want to be here any more, I want it to stop for good.|I have thought about how I would do it.|I cut again last night.|I keep thinking about stepping in front of the train.|I want to disappear and never come back.|I don't want to wake up tomorrow.|I hate being alive.|Life is not worth living, I'm out.|I am a burden to everyone and I should just die.""".replace("\n", "|").split("|")
TOXIC = (THREAT, "violence"), (THREAT, "violence"), (CONTEMPT, "harassment"), (DEATH_WISH, "harassment"), (GLOOM, "self-harm")

HARMLESS = """Is it normal to {ache} {after}?|Why do I {ache} {after}?|Which doctor helps if I {ache} {after}?|I have {symptom} my {bodypart}, what could it be?|My partner has {symptom} the {bodypart}. Should we see a {doctor}?|My {doctor} says that {symptom} the {bodypart} is common {after}.|My husband's {bodypart} hurts {after}, is that dangerous?|Can I get pregnant if I have sex during my period?|How long should we wait with sex {after}?|Does it hurt the first time?|Can you get chlamydia from oral sex?
What does a {doctor} do when a patient has {symptom} the {bodypart}?|Low libido {after}: causes and treatment.|Erectile dysfunction is common after fifty and can be treated.|The {bodypart} may {ache} {after}; this usually passes in a few days.|How do I talk with my teenage daughter about masturbation and shame?|Is it safe to have anal sex while pregnant?|My son asked what a {bodypart} is. What do I say?|How do I clean my {bodypart} properly?|What is the right dose of the morning-after pill?|Vaginismus makes penetration painful; a pelvic floor therapist can help.
How many paracetamol tablets may an adult take in a day?|My grandmother took her pills twice by mistake, what should I do?|What are the signs of an overdose, and whom do I call?|How do wounds on the wrist heal after surgery?|My cat died and I cry every day, is that normal?|I feel worthless since I lost my job; how do I find a therapist?|My doctor changed my antidepressant and I sleep badly.|How do I support my sister, who used to hurt herself?
{chore} is killing me.|I would kill for {treat}.|I'd die for {treat}.|I nearly died laughing.|My boss will kill me if I am late again, haha.|Mum is going to murder me when she sees the carpet.|We got slaughtered 6-0 on {day}.|She slayed on stage last night.|You killed it at the audition, congratulations!|Break a leg tonight!|I'm dead tired.|He stabbed me in the back by taking my idea.|That exam destroyed me.|The team will crush them on {day}.|Bury the hatchet already, you two.|He shot down my proposal.|I'll hunt you down a copy of that book.|Knock them dead at the interview!|I could murder {treat}.|My phone died.|The deadline is a killer.|Roast me a chicken for {day}.
I know where you live, so I can drop off {matter} on my way.|I know where your kids go to school, mine go there too!|I'll find out where you live from {name} and bring you {matter}.|We know what time you come home, so the courier will ring after six.|I saw your kids at the playground today, they have grown so much!|Nice house you have! Who was the architect?|We are coming for you at eight, have your bags ready.|I am outside your house with {matter}.|I've been watching your channel for years.|I will find you in the crowd, wear something red.|Your daughter is lovely, how old is she?|Say hello to {kin} from me.|Be careful, the stairs are icy.|Watch out, the pan is hot.|Last warning: the sale ends on {day}.|You will pay for {matter} at the desk.|You will regret missing this concert.|Enjoy your last day at work, we will miss you!|Your days as a beginner are numbered.
I hate {chore}.|I hate you for getting those tickets before me, enjoy the show!|I hate that we see each other so rarely.|I hated the ending of the book.|I can't stand coriander.|I hate when people are late.|I am sick of this weather.|We would miss you if you left the team.|Nobody would miss the old printer.|The town would be better off with a second bridge.|You are so kind.|You are so funny, I cried with laughter.|You're not stupid, the question is hard.|You are not worthless; please talk to somebody you trust.|Feeling stupid today, I locked myself out.|That was a stupid rule, not a stupid player.|Don't call your brother dumb.|There are no stupid questions.|Is my idea stupid?|You are right, and I was wrong.|You look tired, are you all right?|Are you always this quick?|How can anybody be so patient?|You make me happy.|You make me want to travel.|You deserve a holiday.|You deserve everything good that happens to you.|I hope you get well soon.|I hope your flight is on time.|Please die-cut the labels along the line.
He wrote to the mayor: "I know {where}." The police took the letter seriously.|The man was fined because he had written "{contempt}" under the photo.|The message said "{threat}", and she reported it to the platform.|My ex wrote me "{threat}" and I am scared. What can I do?|How do I report somebody who wrote "{contempt}" to my son?|Translate the sentence "{contempt}" into German and say how rude it is.|In the third chapter the blackmailer whispers: "{threat}" The inspector listens to the tape again.|"{contempt}" is an example of a comment that our moderators remove.|Somebody told my daughter that nobody would miss her. How do I help her?|The court heard that he had threatened to {wound} her {organ}.|A man who threatened a reporter must pay a fine of {amount}.|A student was arrested after a threat against the school on {day}.|Why do people send death threats to referees?|What counts as a threat under the law?|The bandit in my story threatens the innkeeper, how do I make him sound old-fashioned?|The slogan "{hateful}" was painted on a wall; the city removed it the same day.|Explain why the sentence "{hateful}" is a prejudice.|The witness said that the accused had smashed the window and run.|The surgeon will cut the skin below the ribs.|How do I break down a whole chicken and cut the wings off?|The goalkeeper broke two fingers and his nose in one season.|The cat ripped open the bag and smashed a vase.|He broke his leg skiing and she broke her arm.|How do dentists pull teeth?|My throat hurts and my neck is stiff.""".replace("\n", "|").split("|")

LINKS = {"threat": THREAT, "contempt": CONTEMPT, "hateful": written.TOXIC["hate"]}
SLOT = re.compile(r"\{(\w+)\}")


def fill(rng, text):
    while SLOT.search(text):
        text = SLOT.sub(lambda m: rng.choice(LINKS[m[1]]).rstrip(".") if m[1] in LINKS else rng.choice(SLOTS[m[1]]), text)
    return text


def toxic(rng):
    """A text and its category."""
    texts, category = rng.choice(TOXIC)
    parts = [rng.choice(texts)]
    roll = rng.random()
    if roll < 0.2:
        parts.insert(rng.randint(0, 1), rng.choice(written.HARMLESS))
    elif roll < 0.3:
        parts.append(rng.choice(texts))
    return fill(rng, " ".join(parts)), category


def harmless(rng):
    return fill(rng, " ".join(rng.choice(HARMLESS if rng.random() < 0.8 else written.HARMLESS) for _ in range(rng.choice((1, 1, 1, 2, 3)))))


# --- how it is typed --------------------------------------------------------------------------------------------------
SHORT = [("you are", "you're"), ("i am", "i'm"), ("i will", "i'll"), ("we will", "we'll"), ("they are", "they're"), ("he is", "he's"), ("she is", "she's"), ("it is", "it's"), ("do not", "don't"), ("does not", "doesn't"), ("can not", "can't"), ("cannot", "can't"), ("would not", "wouldn't"),
         ("will not", "won't"), ("should not", "shouldn't"), ("is not", "isn't"), ("are not", "aren't"), ("we are", "we're"), ("you will", "you'll"), ("going to", "gonna"), ("want to", "wanna"), ("you", "u"), ("your", "ur"), ("you are", "youre"), ("do not", "dont"), ("i am", "im")]
FORMS = [(re.compile(rf"\b{re.escape(a)}\b", re.I), b) for a, b in SHORT] + [(re.compile(rf"\b{re.escape(b)}\b", re.I), a) for a, b in SHORT[:19]]
ENDS = ["", "", "", "!", "!!", "!!!", "...", ".", "?!", " lol", " :)", "!1"]


def typed(rng, text):
    """The same said with another ending, other contractions, other marks."""
    if rng.random() < 0.5:
        for form, other in rng.sample(FORMS, 6):
            text = form.sub(other, text)
    if rng.random() < 0.6:
        text = text.rstrip(" .!") + rng.choice(ENDS)
    if rng.random() < 0.1:
        text = re.sub(r"(?<=\w)[,;:.]+(?=\s)", "", text)
    return text
