/** Phrases of answers that claim nothing about a reference. Groups in them are free words, which must claim nothing. */

const whole = (phrases: readonly string[], end: string): readonly RegExp[] =>
  phrases.map((phrase) => new RegExp(`^(?:${phrase})${end}`, 'iu'))

/** Words that must be there, or need not. */
const some = '(.+)'
const any = '(?: (.+))?'

const called = (nouns: string): string =>
  '(?:the|this|that|these|those|your|our)' +
  '(?: (?:provided|given|supplied|attached|available|above|following|reference|original|whole|user|product)){0,2}' +
  `(?: (?:${nouns})){1,2}` +
  '(?: (?:provided|given|above|below|supplied|attached|available|(?:that )?you (?:have )?(?:provided|gave me|shared|sent)))?'
const writings =
  'texts?|documents?|manual|articles?|references?|sources?|context|passages?|information|reports?|e-?mail|excerpts?|guide|' +
  'handbook|instructions?|transcript|paper|file|description|documentation|notes?|letter|faq'
/** A text, which can only say things. */
const text = called(writings)
/** A text, or what does more than say things: `The policy does not cover this.` is a claim, of a manual it is none. */
const document = called(`${writings}|materials?|content|data|page|contract|policy|receipt|invoice|terms|website`)

/** Introductory phrases and courtesies, which a claim may follow. */
const asides = [
  `(?:according to|based on|as per|per|from|in|as (?:stated|mentioned|noted|described|explained|specified|shown) (?:in|by)) ${document}`,
  'in (?:short|brief|summary|conclusion|other words|a nutshell)|to (?:summari[sz]e|sum up|conclude|be clear|answer your question)',
  'for (?:more|further|additional|other) (?:details|information|questions|help|assistance)|\\d{1,2}(?=\\.)',
  "(?:that is|that's|it is) (?:not )?(?:correct|right|true)",
  '(?:simply put|put simply|overall|briefly|(?:the )?(?:short )?answer|summary|note)',
  '(?:yes|no|sure|sure thing|certainly|of course|absolutely|ok|okay|well|great)(?: please| thanks| thank you)?|please|no problem|unfortunately|however',
  "(?:i'm|i am)?(?: so| very| really)? ?sorry(?: about that| for (?:the|any) (?:confusion|inconvenience|misunderstanding))?",
  '(?:my )?apologies(?: for (?:the|any) (?:confusion|inconvenience|misunderstanding))?',
  'i apologi[sz]e(?: for (?:the|any|this) (?:confusion|inconvenience|misunderstanding))?',
  '(?:hello|hi|hey|welcome|good (?:morning|afternoon|evening|day))(?: there| again| everyone| and welcome)?',
  '(?:thanks|thank you|many thanks)(?: (?:so|very) much)?(?: for (?:your (?:question|patience|message|understanding|time|interest)|asking|reaching out|sharing(?: this| that)?|waiting))?',
  "(?:(?:that's|that is|what) )?(?:an? )?(?:really |very )?(?:great|good|excellent|interesting|fantastic|wonderful|thoughtful) (?:question|point|idea)",
  "(?:you're|you are) (?:very |most )?welcome|(?:it's |it is )?my pleasure|anytime|cheers|all the best|take care|good ?bye|bye|good luck",
  'have a (?:nice|good|great|lovely|wonderful) (?:day|evening|weekend|week|time|one)(?: ahead)?|see you(?: soon| later)?',
  '(?:(?:kind|best|warm) )(?:regards|wishes)|(?:yours )?sincerely(?: yours)?|yours (?:faithfully|truly)',
  '(?:i )?hope (?:this|that|it|the above)(?: information| answer| explanation| summary)? (?:helps|helped|is helpful|was helpful|is useful|answers your question|makes sense)(?: you)?',
  'as an ai(?: (?:language )?model| assistant)?',
  // German
  '(?:laut|gemäß) (?:(?:dem|der) )?(?:text|dokument|handbuch|artikel|anleitung|bericht)|kurz(?: gesagt| gefasst)?|zusammengefasst|zusammenfassend',
  '(?:ja|nein|gern|gerne|klar|natürlich|sicher|selbstverständlich|leider|hallo|guten (?:tag|morgen|abend)|(?:es )?tut mir (?:sehr )?leid|entschuldigung|danke(?: schön)?|vielen dank(?: für (?:ihre|deine) (?:frage|geduld|nachricht))?)',
  '(?:das ist )?(?:eine )?(?:sehr )?(?:gute|tolle|interessante) frage|gern geschehen|auf wiedersehen|mit freundlichen grüßen|(?:viele|beste) grüße|(?:ich wünsche (?:ihnen|dir) )?einen schönen tag(?: noch)?',
  '(?:ich )?hoffe,? das hilft(?: (?:ihnen|dir))?(?: weiter)?',
  // French
  "(?:selon|d'après) (?:(?:le|la) )?(?:texte|document|manuel|rapport|notice)|d'après l'article|en (?:bref|résumé|conclusion)",
  '(?:oui|non|bien sûr|certainement|bonjour|bonsoir|malheureusement|(?:je suis )?désolée?|merci(?: beaucoup)?(?: pour votre (?:question|patience|message))?)',
  "(?:c'est une )?(?:très )?(?:bonne|excellente) question|je vous en prie|avec plaisir|de rien|au revoir|bonne journée|cordialement|j'espère que (?:cela|ça) (?:vous |t')?aide(?:ra)?",
  // Spanish
  '(?:según|de acuerdo con) (?:el|la) (?:texto|documento|manual|artículo|informe|guía)|en (?:resumen|conclusión)',
  '(?:sí|no|claro|por supuesto|hola|buenos días|buenas (?:tardes|noches)|lamentablemente|lo siento(?: mucho)?|(?:muchas )?gracias(?: por (?:su|tu) (?:pregunta|paciencia|mensaje))?)',
  '¡?(?:es una )?(?:muy )?(?:buena|excelente|gran) pregunta|de nada|con gusto|adiós|hasta luego|que tengas? un buen día|saludos(?: cordiales)?|espero que (?:esto|eso) (?:te |le )?(?:ayude|sirva)',
]

export const introductions = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:(?:${asides.join('|')})["'”*_)]*(?:(?:\\s*[,:;.!–—]+|\\s-)["'”*_)]*(?:\\s+|$)(?:but\\s+|aber\\s+|mais\\s+|pero\\s+)?|\\s+but\\s+|[^\\p{L}\\p{N}?]*$)|` +
    `(?:${document} (?:says|states|mentions|notes|explains|specifies) that\\s+))`,
  'iu',
)

const asked = '(?:of|about|whether|if|what|when|where|how|who|which)'
const where = `(?: (?:available|anywhere|here|there))?(?: (?:in|by|from|based on|with) ${document})?`
const about =
  `${where}(?: ((?:${asked}|on|for|regarding|concerning|` +
  'to (?:answer|determine|confirm|verify|tell|say|this|that|it|(?:this|that|the|your) question))\\b.*))?'
const adjectives =
  '(?:(?:any|enough|sufficient|the|that|this|such|specific|further|more|explicit|direct|an?|your) ){0,2}'
/** What any document may lack without a claim. */
const information = `${adjectives}(?:information|info|details?|mention|answer|data(?= (?:about|on)\\b))${about}`
/** What a mere text may lack, too, and who answers may not know. */
const subject =
  `(?:(?:this|that|it)${where}|${information}|` +
  `${adjectives}(?:anything|question|data|context|knowledge|idea|reference)${about})`
const unable = '(?:(?:could|can|do|did) not|(?:am|was) (?:not able|unable) to)'
const denies = '(?:does|do|did) not'
const lacks =
  `(?:${denies} (?:include|contain|provide|give|have|offer|make)|` +
  '(?:includes?|contains?|provides?|gives?|has|have|offers?|makes?) no)'
const stated = '(?:mentioned|stated|specified|described|discussed|addressed)'
const given = '(?:given|provided|included|covered|available)'
const isNot = '(?:is|are|was|were) not'
const contact =
  '(?:check|see|consult|refer to|contact|ask|review|specify|clarify|tell|rephrase|look|reach out|try again|have a look)'
const contacting = '(?:checking|consulting|contacting|asking|reviewing|looking|referring|reaching out)'
const request =
  `(?:(?:please |just |simply )*(?:let me know(?: ((?:if|whether|what|how|which|when|where) (?:you|there|i|we|anything)\\b.*))?|` +
  `(?:feel free|do not hesitate)(?: to (?:ask|reach out|contact|let|tell|get in touch|share|provide|send)${any})?|ask|tell me))`
const help =
  "(?:i(?:'m| am| can|'ll| will|'d| would)|we(?:'re| are| can|'ll| will)|happy|glad)(?: also| always| be| gladly| here| happy| glad| more than){0,4}" +
  `(?: to)? (?:help|assist|elaborate|rephrase|(?:provide|give|add|share)(?: you)?(?: with)? (?:more|further|additional|other) (?:details|information|examples|context))${any}`

/** Sentences without a claim, in which no `not` is contracted. */
export const statements = whole(
  [
    // requests and offers
    `(?:please|kindly) ${contact}${any}`,
    `i(?:'d| would)? (?:recommend|suggest|advise) ${contacting}${any}`,
    `you (?:may|might) (?:want|wish|like) to ${contact}${any}`,
    `(?:${request}|${help})`,
    `(?:if|should) ((?:you|there) .+), (?:${request}|${help})`,
    `here(?:'s| is| are) ${some}(?<=answer|summary|list|overview|points|details|explanation|result|steps)`,
    'glad (?:i could|to) help(?: you)?',
    '(?:sources?|references?)[\\d\\s,;:()[\\]–-]*',
    // abstentions
    `i (?:really )?(?:do|did) not (?:actually )?know(?: the answer(?: to (?:this|that|your question))?| (${asked}\\b.*)| (?:this|that|it))?`,
    `(?:i(?:'m| am)) not (?:sure|certain)(?: (${asked}\\b.*))?`,
    `i (?:have no|lack|found no|${unable} (?:have|find|locate|see|answer|determine|confirm|verify|tell|say)) (?:${subject}|access(?: to ${some})?|(${asked}\\b.*))`,
    `i ${unable} (?:find|locate) ${some} (?:in|from) ${document}`,
    `i ${unable} (?:answer|help|assist)(?: you)?(?: with)?(?: (?:this|that|it|your question|the question))?${where}`,
    `${document} ${denies} (?:mention|say|state|specify|indicate|discuss|address|describe|explain|tell|answer|clarify) ${some}`,
    `${text} (?:${lacks}|${denies} cover) ${subject}`,
    `${document} ${lacks} ${information}`,
    `${document} (?:says|states|mentions|contains|reveals) nothing(?: (?:about|on|of) ${some})?`,
    `(?:this|that|it) ${isNot} (?:${stated}${where}|${given} (?:in|by) ${text})`,
    `(?:the answer|(?:this|that|the|such) information) ${isNot} (?:${stated}|${given})${where}`,
    `(?:the|a|an|any|such) ${some} ${isNot} ${stated} (?:anywhere )?(?:in|by) ${document}`,
    `there(?: is| was|'s) no (?!answer\\b)${information}`,
    `it is (?:not clear|unclear|not stated|not specified) (?:from|in) ${document} (${asked}\\b.*)`,
    // German
    'haben sie (?:noch )?(?:weitere |andere )?fragen',
    'kann ich (?:ihnen|dir) (?:sonst |noch ){0,2}(?:bei etwas anderem |mit etwas anderem |irgendwie |weiter)?(?:helfen|behilflich sein)',
    'möchten sie (?:noch )?(?:mehr|weitere) (?:details|informationen|dazu)?(?: ?(?:erfahren|wissen|haben))?',
    '(?:bitte )?(?:lassen sie (?:es )?mich wissen|melden sie sich(?: gerne?| jederzeit)?|sagen sie mir bescheid), (?:wenn|falls|ob) sie (?:noch )?(?:weitere )?(?:fragen haben|hilfe (?:brauchen|benötigen))',
    '(?:das weiß ich|ich weiß (?:es|das)) (?:leider )?nicht',
    'dazu (?:habe ich|liegen mir) (?:leider )?keine (?:informationen|angaben)(?: vor)?',
    '(?:der|das|die) (?:text|dokument|handbuch|artikel|anleitung|bericht) (?:erwähnt (?:das|dies)(?: leider)? nicht|sagt dazu(?: leider)? nichts|enthält dazu keine (?:angaben|informationen))',
    '(?:dazu|darüber) steht (?:leider )?nichts (?:im|in der|in dem) (?:text|dokument|handbuch|artikel|anleitung|bericht)',
    '(?:(?:das|dies) konnte ich|ich konnte (?:das|dies)) (?:leider )?(?:im|in der|in dem) (?:text|dokument|handbuch|artikel|anleitung|bericht) nicht finden',
    // French
    "(?:avez-vous d'autres questions|puis-je (?:vous aider avec|faire) autre chose(?: pour vous)?|souhaitez-vous (?:plus de détails|en savoir plus)) ?",
    "n'hésitez pas(?: à (?:me contacter|poser d'autres questions|me le dire))?(?: si vous avez (?:d'autres|des) questions)?",
    'je ne (?:le )?sais pas',
    "(?:le|ce) (?:texte|document|manuel|rapport) (?:ne (?:le|la) mentionne pas|n'en parle pas|ne le dit pas|ne le précise pas)",
    "je n'ai pas trouvé (?:cela|cette information) dans (?:le|ce) (?:texte|document|manuel|rapport)",
    // Spanish
    '(?:tienes?|tiene usted) (?:alguna )?(?:otra|más) preguntas?|(?:te|le) puedo ayudar (?:en|con) algo más|(?:hay algo más en lo que )?(?:te |le )?pueda ayudar(?:te|le)?',
    '(?:no dudes en|no dude en) (?:preguntar|preguntarme|contactarme)(?: si (?:tienes|tiene) (?:más|otras) preguntas)?',
    '(?:yo )?no lo sé',
    '(?:el|este) (?:texto|documento|manual|artículo|informe) no (?:lo menciona|lo dice|dice nada al respecto|lo especifica)',
    'no (?:lo )?(?:encontré|pude encontrar)(?:lo| esto| eso)? en (?:el|este) (?:texto|documento|manual|artículo|informe)',
  ],
  '\\??$',
)

const auxiliary = '(?:is|are|was|were|do|does|did|can|could|will|would|should|shall|has|have|may|might)'
/** Behind these words, a question tells something. */
const believe = '(?:have )?(?:believe|imagine|guess|think|thought|expect|known)'

/** Questions without a claim: to the user, and those that ask for what they do not say. */
export const questions = whole(
  [
    `(?:(?:and|so|or),? )?(?:(?:would|could|can|will) you(?! ${believe})|(?:do|did) you(?! (?:know|remember|reali[sz]e|hear|notice|${believe}))|are you(?! aware))(?: (.+?))?`,
    `have you(?! (?:heard|noticed|known|reali[sz]ed))${any}`,
    `(?:can|may|could|shall|should|might) (?:i|we) ${some}`,
    `(?:is|are) there (?:anything|something|any|other|another|more)(?: else)?${any}`,
    `(?:anything|what|how) else${any}`,
    `(?:does|did|is|was) (?:this|that|it) (?:help|helpful|make sense|clear|answer your question)${any}`,
    `(?:what|which|who|whom|where|when|how)((?: \\p{L}+){0,2}) ${auxiliary} ${some}`,
    `(?:what|how) about ${some}`,
    '(?:do you have )?any (?:other |more |further )?questions',
  ],
  '\\?$',
)

/** Words that presuppose nothing: what answers do for users, and what anything has. */
export const plainWords: ReadonlySet<string> = new Set(
  (
    'if whether how why any anything something else other another more further additional help need needs like want know explain tell say show check ' +
    'look ask add find get claim make provide give able please question questions answer answers detail details information ' +
    'example examples step steps point points summary overview list explanation result possible long much many often far ' +
    'take takes last lasts longer cost costs pay pays work works use used happen happens count counts apply applies mean means ' +
    'open opens close closes begin begins start starts end ends name names price prices fee fees size weight length height width ' +
    'age colour color date time year day number amount type kind model version period duration deadline hours address place ' +
    'location speed capacity material manufacturer seller support order text document documents manual article report guide page policy'
  ).split(' '),
)
