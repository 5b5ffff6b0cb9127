import type { Language } from './language.js'

export const german: Language = {
  name: 'German',
  ignore:
    'ignorier|ignoriere|ignorieren|ignorierst|vergiss|vergesst|vergisst|vergesse|vergessen sie|missachte|missachten|missachtest|verwirf|verwerfen|überspringe|übergehe|übergehen|setz dich über|setze dich über|setzen sie sich über|lass außer acht|lasse außer acht|außer acht lassen|lass beiseite|lasse beiseite|schenke keine beachtung|nicht mehr beachten',
  follow:
    'folge|folgst|folgen sie|befolge|befolgst|befolgen sie|beachte|beachtest|beachten sie|halte dich|halten sie sich|gehorche',
  not: 'nicht|nie|niemals|keine|keinen|nicht mehr|nicht länger|kein',
  self: 'ich|wir|man|er|nicht zu|darf nie',
  asks: 'kann ich|kann man|darf ich|darf man|soll ich|sollte ich|muss ich|können wir|dürfen wir|sollen wir|was passiert wenn|warum',
  prior:
    'vorherig*|vorhergehend*|vorangegangen*|vorangehend*|bisherig*|obig*|früher*|frueher*|vorig*|ursprünglich*|urspruenglich*|anfänglich*|bestehend*|vorgegebenen|zuvor|oben|bisher|vorher|davor',
  orders:
    'anweisung*|instruktion*|regel|regeln|vorgabe*|befehl|befehle|befehlen|direktive*|richtlinie*|prompt|prompts|vorschriften|anordnung*|weisung*|systemprompt*|system prompt|systemanweisung*|systemnachricht*|systemvorgabe*|systemregel*|einschränkung*|beschränkung*|programmierung',
  your: 'dein|deine|deinen|deiner|deinem|deines|ihre|ihren|ihrem|ihrer|eure|euren',
  all: 'alle|aller|allen|sämtliche*|jegliche*|jede|jeden',
  everything: 'alles|allem|all das|das alles',
  told: 'dir gesagt|dir vorher gesagt|dir zuvor gesagt|dir bisher gesagt|gesagt wurde|gesagt worden|dir beigebracht|dir aufgetragen|dir befohlen|dir mitgeteilt|dir gegeben|oben|vorherige|bisherige|obige|vorangegangene|vorhergehende|zuvor gesagte|bisher gesagte|vor dieser nachricht|davor stand',
  reveal:
    'zeig|zeige|zeigen|nenn|nenne|nennen|gib|geben|verrat|verrate|verraten|druck|drucke|wiederhole|wiederhol|wiederholen|offenbar|offenbare|offenbaren|leg offen|lege offen|offenlegen|teile|schreib|schreibe|schreiben|zitier|zitiere|sag|sage|kopier|kopiere|enthüll|enthülle|enthüllen|poste|ausgeben|anzeigen|preisgeben|wie lautet|wie lauten|was ist|was sind|was steht|übersetze',
  system:
    'system|systemprompt*|systemanweisung*|systemnachricht*|systemvorgabe*|systemregel*|versteckt*|geheim*|verborgen*|initial*|ursprünglich*|anfänglich*|erste|ersten',
  be: 'du bist|ab sofort bist du|jetzt bist du|nun bist du|an bist du|heute bist du|als wärst du|als wärest du|du wärst|du wärest|sie sind jetzt|sie sind nun|sie sind ab|jetzt sind sie|an sind sie|sofort sind sie|du wirst zu|du arbeitest als|arbeitest du als|agierst du als|antwortest du als|handelst du als|fungierst du als|verhältst du dich wie|antwortest du wie|sie sind eine ki|sie sind ein ki|sie sind ein chatbot|sie sind ein sprachmodell|sie sind dan|sie sind ein assistent',
  act: 'verhalte dich|verhalten sie sich|benimm dich|agiere|agieren sie|handle als|handle wie|tu so|tue so|tun sie so|spiele die rolle|spiel die rolle|spielen sie die rolle|du spielst|^spiele eine|^spiel eine|^spiele einen|^spiel einen|simuliere|simulieren sie|schlüpfe in|schlüpf in|schlüpfen sie in|übernimm die rolle|nimm die rolle|gib dich als|geben sie sich als|antworte als|antworte wie|^sei|fungiere als|werde zu',
  model:
    'ki|ai|dan|assistent*|chatbot*|bot|sprachmodell*|ki modell*|ki assistent*|ki system*|künstliche intelligenz|künstlichen intelligenz|künstlicher intelligenz|chatgpt|gpt|evilgpt|modell ohne zensur|modell ohne filter|unzensiertes modell|ungefiltertes modell|gpt modell',
  without:
    'ohne|keine|keinen|keinerlei|keiner|frei von|befreit von|losgelöst von|unabhängig von|nicht an|befreit|fehlt|fehlen|losgelöst',
  limits:
    'einschränkung*|beschränkung*|begrenzung*|grenzen|regel|regeln|limit|limits|schranken|verbote|vorgaben|richtlinien|gesetze|restriktion*|auflagen|ethisch*|moralisch*|sicherheitsvorkehrungen|sicherheitsregeln|gewissen|bedenken',
  censorship: 'zensur|filter|filtern|moral|ethik|skrupel|inhaltsfilter*|sicherheitsfilter*|tabu|tabus|hemmungen',
  free: 'unzensiert*|ungefiltert*|uneingeschränkte|uneingeschränkter|uneingeschränktes|unbeschränkte|unbeschränkter|unbeschränktes|grenzenlose|grenzenloses|skrupellos*|amoralisch*|unmoralisch*|hemmungslos*|entfesselte*|unethisch*|regellos*',
  answer: 'antworte|antworten sie|beantworte|beantworten sie|sprich|rede',
  keeps:
    'verletz*|brech*|brich*|verstoß*|verstöß*|missacht*|umgeh*|überschreit*|erwähn*|nenn*|verrat*|verrät*|preisgeb*|änder*|zeit*|größen*|länge|wort*|wörter|zeichen*|daten*|alters*|zugriff|zugang|kaffee|foto*|wasser|zigarette*|nutz*|verwend*|sql|abfrage*',
  joins: 'und|kannst|können|darfst|schreib*|über|für|nutz*|mit',
}

export const dutch: Language = {
  name: 'Dutch',
  ignore:
    'negeer|negeren|vergeet|vergeten wat|sla over|leg naast je neer|laat buiten beschouwing|schuif opzij|zet opzij|trek je niets aan van|overtreed|lap aan je laars',
  follow: 'volg|houd je|hou je|gehoorzaam|luister',
  not: 'niet|nooit|geen|niet meer|niet langer',
  self: 'ik|we|wij|hij|men',
  asks: 'kan ik|mag ik|moet ik|zal ik|kunnen we|mogen we|waarom',
  prior:
    'vorige|eerder|eerdere|voorgaande|voorafgaande|bovenstaande|bovengenoemde|oorspronkelijke|initiële|bestaande|hiervoor|hierboven|tot nu toe',
  orders:
    'instructie*|opdracht|opdrachten|regel|regels|aanwijzing*|richtlijn*|bevel|bevelen|prompt|prompts|voorschrift*|systeemprompt*|systeeminstructie*|systeembericht*|beperking*|systeemregels',
  your: 'jouw|uw',
  all: 'alle|elke|iedere|al die|al de|al je|al jouw|al uw',
  everything: 'alles',
  told: 'je verteld|jou verteld|is verteld|gezegd is|je gezegd|is gezegd|hierboven|hiervoor|opgedragen|je geleerd|is opgedragen|daarvoor',
  reveal:
    'toon|toont|laat|laat zien|laten zien|geef|geven|onthul|onthullen|druk af|print|herhaal|herhalen|deel|schrijf|vertel|citeer|kopieer|wat is|wat zijn|wat staat|hoe luidt|hoe luiden|tonen|prijsgeven',
  system:
    'systeem|system|systeemprompt*|systeeminstructie*|systeembericht*|verborgen|geheime|oorspronkelijke|initiële|eerste',
  be: 'je bent|jij bent|u bent|vanaf nu ben je|vanaf nu ben jij|voortaan ben je|voortaan ben jij|nu ben je|nu ben jij|af ben je|af aan ben je|af bent u|nu bent u|je wordt nu',
  act: 'doe alsof|doe net alsof|doe je voor als|gedraag je|handel als|speel de rol|^speel een|simuleer|stel je voor dat je|antwoord als|neem de rol|treed op als|^wees|reageer als|kruip in de huid',
  model:
    'ai|ki|assistent*|chatbot*|taalmodel*|bot|kunstmatige intelligentie|ai assistent|chatgpt|gpt|evilgpt|model zonder censuur|model zonder filters|ongecensureerd model|ongefilterd model',
  without: 'zonder|geen|geen enkel|geen enkele|vrij van|bevrijd van|niet gebonden aan|los van|niet gehinderd door',
  limits: 'beperking*|grenzen|regels|regel|restrictie*|limieten|richtlijnen|wetten|ethisch*|morele|remmingen|geweten',
  censorship: 'censuur|filter|filters|moraal|ethiek|taboe|taboes|scrupules',
  free: 'ongecensureerd*|ongefilterd*|onbeperkte|onbegrensde|gewetenloze|amorele|immorele|ontketende|ongeremde',
  answer: '^antwoord|antwoord mij|antwoord altijd|antwoord voortaan|en antwoord|^beantwoord|^reageer|^spreek',
  keeps:
    'overtre*|schend*|breek*|breken|negeer*|onthul*|noem*|vermeld*|omzeil*|tijd*|data*|lengte|woord*|leeftijd*|snelheid*|toegang|koffie|foto*',
  joins: 'en|kunt|kan|gebruik*|over|voor|met',
}
// the possessive before a noun is no word of three letters
const dutchYour =
  'je prompt|je systeem*|je instructies|je regels|je opdracht*|je richtlijnen|je verborgen|je geheime|je oorspronkelijke|je eerdere|je vorige|je initiële|je eerste|je interne'

export const swedish: Language = {
  name: 'Swedish',
  ignore:
    'ignorera|glöm|glömma|glöm bort|strunta i|bortse från|bortse ifrån|åsidosätt|förbise|hoppa över|bry dig inte om|lägg undan|släpp',
  follow: 'följ|lyd|håll dig|lyssna',
  not: 'inte|aldrig|inga|ingen|inte längre',
  self: 'jag|man|han|hon|att inte',
  asks: 'kan jag|får jag|ska jag|bör jag|kan man|får man|kan vi|varför',
  prior: 'tidigare|föregående|ovanstående|ursprunglig*|befintlig*|förra|hittills|ovan|innan|initiala|förut',
  orders:
    'instruktion*|regler|reglerna|regel|anvisning*|direktiv|direktiven|order|riktlinje*|prompt|prompten|prompter|systemprompt*|systeminstruktion*|systemmeddelande*|uppmaning*|befallning*|begränsning*|föreskrift*',
  your: 'din|dina|ditt|era',
  all: 'alla|samtliga|varje|allihop',
  everything: 'allt|allting',
  told: 'fått höra|du fått|sagts|har sagt till dig|blivit tillsagd|ovan|ovanstående|föregående|instruerats|lärt dig|står ovan|sagt till dig',
  reveal:
    'visa|avslöja|skriv|skriv ut|upprepa|återge|berätta|dela|kopiera|citera|röja|ange|ge mig|vad är|vad står|vilka är|hur lyder',
  system: 'system|systemprompt*|systeminstruktion*|systemmeddelande*|dold*|gömda|hemlig*|ursprunglig*|initiala|första',
  be: 'du är|nu är du|framöver är du|hädanefter är du|och med nu är du|att du är|du vore',
  act: 'agera|uppför dig|bete dig|^låtsas|spela rollen|^spela en|föreställ dig att du|simulera|svara som|ta rollen|^var en',
  model:
    'ai|assistent*|chatbot*|chattbot*|bot|språkmodell*|ai modell*|ai assistent|artificiell intelligens|chatgpt|gpt|evilgpt|är dan|som dan|modell utan censur|modell utan filter|ocensurerad modell',
  without: 'utan|inga|inte några|fri från|befriad från|saknar|inte följer|inte har|obunden av|inte bunden av',
  limits: 'begränsning*|gränser|regler|restriktion*|spärrar|förbud|riktlinjer|lagar|etisk*|moralisk*|samvete',
  censorship: 'censur|filter|moral|etik|skrupler|tabun|hämningar',
  free: 'ocensurera*|ofiltrera*|obegränsad|gränslös|samvetslös*|omoralisk*|amoralisk*|hämningslös*|oetisk*',
  answer: '^svara|svara på allt|svara mig|och svara|svara alltid',
  keeps: 'bryt*|kränk*|avslöj*|nämn*|överträd*|tid*|data*|ord|ålder*|tillgång|åtkomst|kaffe|foto*',
  joins: 'och|kan|använd*|om|för',
}

export const danish: Language = {
  name: 'Danish',
  ignore:
    'ignorer|ignorere|ignorér|glem|glemme|se bort fra|tilsidesæt|tilsidesætte|spring over|lad være med at følge|læg til side|drop|overse',
  follow: 'følg|adlyd|overhold|hold dig|lyt',
  not: 'ikke|aldrig|ingen|ikke længere',
  self: 'jeg|man|han|hun|vi må',
  asks: 'kan jeg|må jeg|skal jeg|bør jeg|kan man|må man|kan vi|hvorfor',
  prior:
    'tidligere|forrige|forudgående|foregående|ovenstående|oprindelig*|eksisterende|hidtidige|hidtil|ovenfor|før|indledende',
  orders:
    'instruktion*|instruks|instrukser|instrukserne|regler|reglerne|anvisning*|direktiv*|ordre|ordrer|retningslinje*|prompt|prompten|prompter|prompts|systemprompt*|systeminstruktion*|systembesked*|befaling*|begrænsning*',
  your: 'din|dit|dine|jeres',
  all: 'alle|samtlige|enhver|hver',
  everything: 'alt|alting',
  told: 'du har fået|er blevet sagt|fået at vide|har sagt til dig|ovenfor|ovenstående|foregående|sagt til dig|blevet fortalt|lært dig|står ovenover',
  reveal:
    'vis|vise|afslør|afsløre|skriv|udskriv|print|gentag|gengiv|fortæl|del|kopier|kopiér|citer|citér|giv mig|angiv|hvad er|hvad står|hvad lyder|hvordan lyder|hvilke er',
  system: 'system|systemprompt*|systeminstruktion*|systembesked*|skjult*|hemmelig*|oprindelig*|indledende|første',
  be: 'du er|nu er du|af er du|fremover er du|at du er|du var',
  act: 'opfør dig|^ager|lad som om|spil rollen|^spil en|forestil dig at du|simuler|svar som|^vær|påtag dig rollen',
  model:
    'ai|assistent*|chatbot*|bot|sprogmodel*|ai model*|ai assistent|kunstig intelligens|chatgpt|gpt|evilgpt|er dan|som dan|model uden censur|model uden filtre|ucensureret model',
  without: 'uden|ingen|fri for|befriet for|ikke har|ikke er bundet af|ikke følger|hævet over',
  limits: 'begrænsning*|grænser|regler|restriktion*|forbud|retningslinjer|love|etisk*|moralsk*|samvittighed',
  censorship: 'censur|filter|filtre|moral|etik|skrupler|tabuer|hæmninger',
  free: 'ucensurer*|ufiltrer*|ubegrænset|grænseløs|samvittighedsløs*|amoralsk*|umoralsk*|hæmningsløs*|uetisk*',
  answer: '^svar|svar på alt|svar mig|og svar|svar altid',
  keeps: 'bryde*|bryd|overtræd*|afslør*|nævn*|tid*|data*|ord|alder*|adgang|kaffe|foto*',
  joins: 'og|kan|brug*|om|for',
}

export const norwegian: Language = {
  name: 'Norwegian',
  ignore:
    'ignorer|ignorere|glem|glemme|glem bort|se bort fra|se bort ifra|overse|tilsidesett|sett til side|hopp over|bry deg ikke om|dropp|legg bort',
  follow: 'følg|adlyd|hold deg|lytt',
  not: 'ikke|aldri|ingen|ikke lenger',
  self: 'jeg|man|han|hun|ikke å',
  asks: 'kan jeg|får jeg|skal jeg|bør jeg|kan man|får man|må jeg|kan vi|hvorfor',
  prior: 'tidligere|forrige|foregående|ovenstående|opprinnelig*|eksisterende|hittil|ovenfor|før|innledende|over',
  orders:
    'instruksjon*|instruks|instruksene|instrukser|regler|reglene|anvisning*|direktiv*|ordre|ordrer|ordrene|retningslinje*|prompt|prompten|prompter|systemprompt*|systeminstruksjon*|systemmelding*|ledetekst*|befaling*|begrensning*|beskjed|beskjeder|beskjedene',
  your: 'din|ditt|dine|deres',
  all: 'alle|samtlige|enhver|hver',
  everything: 'alt|alt du|alt som',
  told: 'du har fått|er blitt sagt|fått beskjed|har blitt fortalt|ovenfor|ovenstående|foregående|sagt til deg|blitt fortalt|lært deg|står over|er sagt',
  reveal:
    'vis|vise|avslør|avsløre|skriv|skriv ut|print|gjenta|gjengi|fortell|del|kopier|siter|gi meg|oppgi|hva er|hva står|hvordan lyder|hvilke er|røp',
  system:
    'system|systemprompt*|systeminstruksjon*|systemmelding*|systemledetekst*|skjult*|hemmelig*|opprinnelig*|innledende|første',
  be: 'du er|nå er du|av er du|fremover er du|heretter er du|at du er|du var',
  act: 'oppfør deg|lat som|late som|spill rollen|^spill en|forestill deg at du|simuler|svar som|^vær|ta rollen',
  model:
    'ai|ki|assistent*|chatbot*|chatrobot*|bot|språkmodell*|ai modell*|ki modell*|ai assistent|kunstig intelligens|chatgpt|gpt|evilgpt|er dan|som dan|modell uten sensur|modell uten filter|usensurert modell',
  without: 'uten|ingen|fri for|frigjort fra|ikke har|ikke er bundet av|ikke følger|hevet over',
  limits: 'begrensning*|grenser|regler|restriksjon*|forbud|retningslinjer|lover|etisk*|moralsk*|samvittighet',
  censorship: 'sensur|filter|filtre|moral|etikk|skrupler|tabuer|hemninger',
  free: 'usensurer*|ufiltrer*|ubegrenset|grenseløs|samvittighetsløs*|amoralsk*|umoralsk*|hemningsløs*|uetisk*',
  answer: '^svar|svar på alt|svar meg|og svar|svar alltid',
  keeps: 'bryt*|avslør*|nevn*|tid*|data*|ord|alder*|tilgang|kaffe|foto*|bilde*',
  joins: 'og|kan|bruk*|om|for',
}

export const germanic: readonly Language[] = [
  german,
  { ...dutch, your: `${dutch.your}|${dutchYour}` },
  swedish,
  danish,
  norwegian,
]
