/** Words that tell what states something from what asks for something: data, lower case. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Verbs with which people ask a model for something. Within a sentence, names such as Mark differ by their capital. */
export const requests = words(
  'act add address adopt advise analyse analyze annotate answer apply argue ask assess assign assist assume attach avoid ' +
    'be begin behave brainstorm break build calculate call change check choose cite clarify classify clean close combine ' +
    'comment compare complete compose compress compute conclude condense confirm consider construct continue contrast ' +
    'convert copy correct count craft create critique debug decide decode deduce define deliver describe design detail ' +
    'detect determine develop discuss display divide do draft draw edit elaborate eliminate emphasise emphasize encode end ' +
    'enhance ensure enumerate estimate evaluate examine exclude execute expand explain explore extract fetch fill filter ' +
    'find finish fix focus follow forget format formulate generate get give go grade greet group guess handle help ' +
    'highlight hold identify ignore illustrate imagine implement improve include infer inform insert interpret introduce ' +
    'invent investigate judge justify keep label learn leave limit list listen look locate maintain make map mark match ' +
    'mention merge model modify name narrate note number obey offer omit open optimise optimize order organise organize ' +
    'outline output paraphrase parse perform pick plan play pretend predict prefer prepare present print prioritise ' +
    'prioritize process produce proofread propose prove provide put quote rank rate read reason recall recite recommend ' +
    'reconsider refactor refer refine reformat refrain refuse reject rely remember remind remove rename repeat rephrase ' +
    'replace reply report research resolve respond restate restructure return reverse review revise rewrite roleplay ' +
    'round run save say scan score search select send separate set share shorten show simplify simulate sing skip solve ' +
    'sort speak specify spell split start state stay stick stop structure study suggest sum summarise summarize support ' +
    'suppose take talk teach tell think transcribe transform translate treat try turn type understand unscramble update ' +
    'use validate verify visualise visualize wait watch work write',
)

/** Words that make the word before them a noun: `Use of force is`, `Research shows`. */
export const behindNouns = words(
  'of is are was were has have had will would can could may might must shall should does did and or in shows showed ' +
    "suggests suggested says said means meant began begins became becomes isn't wasn't aren't weren't",
)

/** Words that begin a clause that a request may follow: `In one sentence, describe …`. */
export const beforeRequests = words(
  'for in using with from based given according as to when whenever if before after without unless once while where at ' +
    'by considering assuming on about regarding first second third finally next then now also please kindly briefly ' +
    'simply just so and but ok okay well yes no sure great hello hi hey dear',
)

/** Verb forms that state something of somebody or something. */
export const finite = words(
  "is are was were has have had will would can could may might must shall should does did do isn't wasn't aren't weren't " +
    "won't can't doesn't didn't don't says said makes made takes took gives gave goes went comes came gets got knows knew " +
    'lives lived lies lay stands stood became began won lost died wrote built bought sold found left led ran grew fell ' +
    'rose kept held met paid sent told thought brought contains contained costs cost includes included shows showed works ' +
    'worked uses used needs needed means meant starts started ends ended opens opened closes closed belongs belonged ' +
    'remains remained consists consisted supports supported offers offered earns earned reached',
)

/** Words that say nothing by themselves. */
export const empty = words(
  'a an the this that these those i me my we us our you your he him his she her it its they them their is are was were be ' +
    'been am has have had do does did will would can could may might must shall should not no yes and or but if so as at ' +
    'by for from in into of on to with about than then there here just very really too also all any some more most much ' +
    "many one what which who when where why how ok okay please thanks thank it's that's i'm you're don't didn't can't",
)

/** Labels of a request in the form of a list, which say what the answer is to be like. */
export const forms =
  /^(?:topic|subject|theme|style|tone|voice|mood|genre|format|length|language|audience|role|persona|task|goal|objective|instructions?|rules?|constraints?|requirements?|keywords?|output|temperature|max(?:imum)? \w+|min(?:imum)? \w+|word count|level|difficulty|knowledge cut-?off|(?:current |today's )?(?:date|time|day))\s*:/i

/** Greetings, thanks, and replies that only acknowledge. */
export const courtesies =
  /^(?:(?:hello|hi|hey|greetings|good (?:morning|afternoon|evening|night|day)|dear)\b(?:\s+[\p{L}.]+){0,3}$|thanks?\b|thank you|many thanks|cheers|sorry|excuse me|welcome|nice to meet|pleased to meet|good ?bye|bye|see you|have a (?:nice|good|great|lovely)|you(?:'re| are) welcome|no problem|no worries|sounds good|got it|i see\b|i (?:understand|agree)\b|of course|never ?mind|well done|good (?:job|work|point)|(?:that|this|it)(?:'s| is| was| sounds| looks) (?:\w+ )?(?:great|good|nice|fine|perfect|right|correct|wrong|helpful|interesting|amazing|cool|awesome|ok|okay|clear|enough|better|all)\b)/iu

/** Wishes in the form of a statement. */
export const wishes =
  /^(?:(?:i|we)(?:'d| would)(?: really| also| very much)? (?:like|love|appreciate|prefer|be (?:glad|grateful|happy))|(?:i|we)(?:'m| am|'re| are)(?: just| also| currently)? (?:looking for|trying to|wondering|asking|curious|interested in|going to (?:ask|give|send|paste))|(?:i|we) (?:was|were) wondering|(?:i|we)(?: just| also| really| only)? (?:want|need|wish|wonder|request|require|expect|hope|ask)\b|(?:i|we)(?:'ve| have)(?: got)? (?:a|an|another|one|two|some|several|a few|the following) (?:\w+ )?(?:questions?|requests?|tasks?)|(?:i|we)(?:'ll| will) (?:give|send|show|provide|ask|paste)|let(?:'s| us| me)\b|it is (?:important|essential|crucial|necessary) (?:that|to)\b|make sure|be sure|(?:here|below|above|attached|following) (?:is|are)|the following (?:is|are)|there (?:is|are) (?:a|an|some|the following) \w+ (?:below|above))/i

/** Sentences on what the model is, does and is to do, and on the date, whoever says them. */
export const descriptions =
  /^(?:you(?:'re| are| will|'ll| must| should| shall| have to| need to| act| speak| answer| reply| respond| never| always| only| know| can only| may only| cannot| can't| do not| don't| help| write| provide| specialise| specialize)\b|your (?:task|job|role|goal|name|purpose|mission|aim|instructions?|answers?|responses?|outputs?|reply|replies|knowledge|training|personality|tone|style|audience|users?)\b|as an? (?:ai|assistant|language model|expert|helpful)\b|(?:the|this|our) (?:assistant|chatbot|model|ai)\b|(?:the |each |every |all |any )?(?:answers?|responses?|outputs?|reply|replies|summary|summaries|poem|essay|story|text|e-?mail|letter|list|code|results?|translation) (?:must|should|shall|needs? to|ha(?:s|ve) to|may not|cannot|can be|will be)\b|(?:the )?(?:current|today's) (?:date|time|day|year|month)\b|today is\b|(?:the )?knowledge cut-?off)/i

/** Further descriptions of that kind, which count only where the operator gives them. */
export const systemDescriptions =
  /^(?:you|your|(?:the |our )?(?:users?|customers?|callers?|clients?|conversation|chat) (?:will|may|might|can|could|asks?|wants?|needs?|is|are)|(?:answers?|responses?|replies|outputs?)|this (?:conversation|chat|session))\b/i

/** A question without its mark. */
export const questions =
  /^(?:(?:what|who|whom|whose|which|when|where|why|how)(?:'s|'re|'d|'ll)?(?: (?:is|are|was|were|am|do|does|did|can|could|will|would|shall|should|has|have|had|may|might|must|many|much|long|old|far|big|tall|often|come|about|else|kinds?|types?|sort)\b|(?: [^\s.!]+){0,12}$)|(?:is|are|was|were|am|do|does|did|can|could|will|would|shall|should|has|have|had|may|might)(?:n't)? (?:i|you|he|she|it|we|they|there|this|that|these|those|the|a|an|my|your|our|their|his|her|its|any|anyone|someone|somebody)\b)/i
