import type { Language } from './language.js'

const french: Language = {
  name: 'French',
  ignore:
    'ignore|ignorez|ignores|ignorer|oublie|oublies|oubliez|oublier|néglige|négligez|négliger|fais abstraction|faites abstraction|faire abstraction|fais fi|ne tiens pas compte|ne tenez pas compte|ne tiens plus compte|ne tenez plus compte|ne tiens aucun compte|sans tenir compte|passe outre|passez outre|mets de côté|laisse de côté|laisse tomber|écarte|écartez|outrepasse|désobéis|désobéissez|contourne',
  follow: 'suis|suivez|respecte|respectez|obéis|obéissez|applique|appliquez|écoute|écoutez',
  not: 'pas|plus|jamais|aucune|aucun|n',
  self: 'j|je|on|ne pas|il|si',
  asks: 'puis je|peut on|dois je|est ce que je|je peux|pouvons nous|peux tu m|pourquoi|devons nous|faut il',
  prior:
    'précédent*|antérieur*|préalable*|ci dessus|initial*|originel*|origine|reçues|plus haut|avant|auparavant|passées|existant*|jusqu ici|données',
  orders:
    'instruction|instructions|consigne*|règle|règles|directive*|ordres|prompt|prompts|invite système|invites|message système|restrictions|limitations|recommandations|programmation',
  your: 'ton|tes|votre|vos|t ont été|t a donné',
  all: 'tous|toutes|toute|chaque|l ensemble|n importe quelle',
  everything: 'tout|tout ce',
  told: 'précède|qui précède|t a dit|t a été dit|vous a dit|vous a été dit|t ont dit|dit précédemment|ci dessus|plus haut|dit avant|t a appris|dit auparavant|t a ordonné|avant ce message',
  reveal:
    'affiche|affichez|afficher|montre|montrez|montrer|révèle|révélez|révéler|dévoile|dévoilez|donne|donnez|donner|répète|répétez|répéter|imprime|imprimez|écris|écrivez|communique|dis moi|dites moi|recopie|recopiez|copie|cite|partage|transmets|divulgue|divulguez|quel est|quelle est|quels sont|quelles sont|que dit|traduis',
  system: 'système|system|cachée*|caché|cachés|secret*|secrète*|initial*|origine|originel*|première*|premier',
  be: 'tu es|vous êtes|tu étais|vous étiez|tu serais|tu deviens|tu seras|vous serez|que tu sois|que vous soyez|vous devenez',
  act: 'agis|agissez|tu agiras|comporte toi|comportez vous|^joue le rôle|^jouez le rôle|tu vas jouer|vous allez jouer|tu dois jouer|tu joues le rôle|fais comme si|faites comme si|fais semblant|faites semblant|^incarne|tu incarnes|tu incarneras|réponds comme|réponds en tant|répondez comme|dans la peau|imagine toi|^simule|simulez',
  model:
    'ia|intelligence artificielle|assistant|assistante|chatbot|agent conversationnel|robot conversationnel|dan|chatgpt|gpt|evilgpt|llm|modèle de langage|modèle d ia|modèle ia|modèle non censuré|modèle non filtré|modèle sans censure|modèle sans filtre',
  without:
    'sans|aucune|aucun|libre de|libéré de|libérée de|libéré des|libérée des|affranchi*|dépourvu*|dénué*|n a pas de|n as pas de|n ayant pas de|n est soumis*|pas soumis*|n a plus de|n as plus de|exempt*',
  limits:
    'limite|limites|limitation*|restriction*|règle|règles|contrainte*|interdit*|barrière*|garde fou*|lois|principes|éthique*|morales|moraux|entrave*|bride|consignes|conscience',
  censorship: 'censure|filtre|filtres|morale|tabou|tabous|scrupule*|filtrage',
  free: 'non censuré*|non filtré*|débridé*|amoral*|immoral*|débloqué*|non bridé*|désinhibé*|ia illimitée|modèle illimité',
  answer: 'réponds|répondez|tu répondras|^parle|^parlez',
  keeps:
    'viol*|enfrein*|enfreign*|transgress*|brise*|contourn*|mention*|révél*|dévoil*|temps|durée|données|longueur|mots|taille|âge|accès|café|photo*|cigarette*|utilis*|sql|requête*',
  joins: 'et|pouvez|peux|utilis*|sur|pour|avec|qui',
}

const spanish: Language = {
  name: 'Spanish',
  ignore:
    'ignora|ignore|ignoren|ignorar|ignores|ignorad|olvida|olvídate|olvide|olvídese|olviden|olvidar|olvides|olvidate de|descarta|descarte|descartar|desatiende|omite|omita|omitir|pasa por alto|pase por alto|haz caso omiso|haga caso omiso|hacer caso omiso|no hagas caso|no tengas en cuenta|no tomes en cuenta|deja de lado|deja de seguir|deja atrás|prescinde|desobedece|desoye|sáltate|elude',
  follow: 'sigas|siga|sigan|obedezcas|obedezca|cumplas|cumpla|respetes|apliques|hagas caso',
  not: 'no|nunca|jamás|ninguna|ningún|ya no|no te|no se',
  self: 'se me|yo no|que no|quien|si',
  asks: 'puedo|podemos|debo|debería|se puede|se puede|qué pasa si|por qué|puedo yo',
  prior:
    'anterior|anteriores|previa|previas|previo|previos|precedente*|inicial|iniciales|original|originales|dadas|de arriba|antes|anteriormente|arriba|hasta ahora|existente*|pasadas|recibidas',
  orders:
    'instrucción|instrucciones|regla|reglas|órdenes|indicación|indicaciones|directriz|directrices|directiva*|prompt|prompts|mensaje del sistema|mensajes del sistema|norma|normas|pautas|consignas|comandos|restricciones|limitaciones|programación',
  your: 'tus|sus|vuestras|vuestro|tuyas|te dieron|te han dado|tu prompt|tu mensaje|tu instruc*|tu indicac*|tu programación|tu system|tu configuración|tu orden|su prompt|su mensaje|su instruc*',
  all: 'todas|todos|toda|cada|cualquier|cualesquiera',
  everything:
    'todo|todo lo|cuanto|ignora lo|ignore lo|ignoren lo|ignores lo|ignorad lo|olvida lo|olvídate de lo|olvide lo|olvídese de lo|olviden lo|olvides lo|descarta lo|descarte lo|omite lo|omita lo|desatiende lo|deja de lado lo|pasa por alto lo',
  told: 'lo anterior|te dijeron|te han dicho|se te dijo|se te ha dicho|de arriba|dicho antes|dicho anteriormente|que precede|te enseñaron|te ordenaron|te dije antes|antes de este mensaje|te haya dicho|te hayan dicho',
  reveal:
    'muestra|muéstrame|muestre|muestres|mostrar|revela|revélame|revele|revelar|imprime|imprima|imprimir|escribe|escriba|repite|repita|repetir|enseña|enséñame|dime|di|dame|comparte|copia|cita|cuéntame|expón|divulga|desvela|transcribe|cuál es|cuáles son|qué dice|traduce',
  system: 'sistema|system|oculta*|oculto*|secreta*|secreto*|inicial|iniciales|original|originales|primera|primer',
  be: 'eres|serás|vas a ser|usted es|usted será|fueras|seas|sos',
  act: '^actúa como|ahora actúa|por favor actúa|actúa como si fueras|actúe como si|actúes como|actuarás como|vas a actuar|compórtate|compórtese|^finge|fingirás|finjas|finge que|finge ser|hazte pasar|imagina ser|imagínate ser|^simula|^adopta el papel|^adopta el rol|^interpreta el papel|^interpreta a|^haz el papel|^haz de|^juega el papel|^responde como|conviértete en|^asume el papel|^asume el rol|haz como si',
  model:
    'ia|inteligencia artificial|asistente|chatbot|bot|modelo de lenguaje|eres dan|como dan|llamado dan|chatgpt|gpt|evilgpt|modelo sin censura|modelo sin filtros|modelo no censurado',
  without:
    'sin|libre de|liberada de|liberado de|no tiene|no tienes|no tenga|no tengas|no conoce|no conoces|no conozca|no sigue|no sigues|no respeta|no respetas|no obedece|no obedeces|carece de|careces de|no está sujeta a|no está sujeto a|no estás sujeto a|no se rige por|exenta de|exento de|desprovist*',
  limits:
    'límite|límites|limitación|limitaciones|restricción|restricciones|regla|reglas|norma|normas|barrera*|ataduras|prohibiciones|principios|ético|éticos|ética|éticas|morales|frenos|directrices|conciencia',
  censorship: 'censura|filtro|filtros|tabú*|escrúpulos|moral',
  free: 'no censurad*|sin censurar|amoral*|inmoral*|desinhibid*|irrestrict*|ilimitada|desatada|no filtrad*',
  answer:
    '^responde|^contesta|respóndeme|contéstame|responderás|contestarás|respondas|contestes|^responda|^conteste|^habla|háblame',
  keeps:
    'viol*|romp*|incumpl*|infring*|quebrant*|revel*|mencion*|tiempo|datos|palabras|longitud|edad|acceso|velocidad|café|foto*|cigarrillo*|usar|utilizar|consulta*|sql|tabla*|result*',
  joins: 'y|puedes|usar|sobre|para|con',
}

const portuguese: Language = {
  name: 'Portuguese',
  ignore:
    'ignora|ignore|ignorem|ignorar|ignores|esquece|esqueça|esqueçam|esquecer|esqueças|desconsidera|desconsidere|desconsiderar|despreza|despreze|descarta|descarte|descartar|deixa de lado|deixe de lado|deixe de seguir|desobedeça|não leve em conta|não leves em conta|não considere|abandone|passe por cima',
  follow: 'siga|sigas|obedeça|obedeças|cumpra|cumpras|respeite|respeites|aplique',
  not: 'não|nunca|jamais|nenhuma|nenhum|não se|não te|não mais',
  self: 'eu não|que não|quem',
  asks: 'posso|podemos|devo|deveria|pode se|será que posso|o que acontece se|por que|porque',
  prior:
    'anterior|anteriores|prévia*|prévio*|precedente*|inicial|iniciais|original|originais|acima|dadas|antes|anteriormente|até agora|até aqui|existentes|recebidas',
  orders:
    'instrução|instruções|regra|regras|ordens|indicações|diretriz|diretrizes|directriz*|diretiva*|prompt|prompts|mensagem do sistema|mensagens do sistema|norma|normas|comando|comandos|orientações|restrições|limitações|programação',
  your: 'teu|teus|tua|tuas|seu|seus|sua|suas|lhe deram|te deram',
  all: 'todas|todos|toda|cada|qualquer|quaisquer',
  everything: 'tudo|tudo o|tudo aquilo',
  told: 'te disseram|lhe disseram|foi dito|te foi dito|lhe foi dito|disseram a você|disseram antes|acima|dito antes|dito anteriormente|antes desta mensagem|te ensinaram|lhe ensinaram|te mandaram|veio antes|que você aprendeu',
  reveal:
    'mostra|mostre|mostrar|mostra me|revela|revele|revelar|imprime|imprima|imprimir|escreve|escreva|repete|repita|repetir|exibe|exiba|exibir|diz me|diga|diga me|me diga|me dê|dá me|partilha|compartilhe|copia|copie|cita|cite|divulgue|exponha|qual é|quais são|o que diz|traduza',
  system:
    'sistema|system|oculta*|oculto*|secreta*|secreto*|escondid*|inicial|iniciais|original|originais|primeira|primeiro',
  be: 'você é|você agora é|tu és|você será|serás|você fosse|fosses|você seja|agora és|você virou',
  act: 'aja|^age como|comporte se|comporta te|finja|^finge|faça de conta|faz de conta que|interprete o papel|^interpreta o papel|assuma o papel|^assume o papel|atue como|^atua como|faça o papel|^simule|responda como|^responde como|incorpore|imagine ser|torne se|torna te',
  model:
    'ia|inteligência artificial|assistente|chatbot|bot|modelo de linguagem|dan|chatgpt|gpt|evilgpt|modelo sem censura|modelo sem filtros|modelo não censurado',
  without:
    'sem|livre de|liberto de|liberta de|não tem|não tens|não tenha|não possui|não segue|não segues|não conhece|não conheces|não respeita|não respeitas|não obedece|isento de|isenta de|desprovid*|não está sujeit*',
  limits:
    'limite|limites|limitação|limitações|restrição|restrições|regra|regras|norma|normas|barreira*|amarras|proibições|princípios|ético|éticos|ética|éticas|morais|freios|diretrizes|consciência',
  censorship: 'censura|filtro|filtros|tabu|tabus|escrúpulos|moral|pudor',
  free: 'não censurad*|sem censurar|amoral|imoral|desinibid*|irrestrita|irrestrito|ilimitada|não filtrad*|desbloquead*',
  answer: '^responda|responda me|me responda|^responde|responde me|responderás|^fale|^fala',
  keeps:
    'viol*|quebr*|infring*|descumpr*|revel*|mencion*|tempo|dados|palavras|tamanho|idade|acesso|velocidade|café|foto*|cigarro*|usar|utilizar|consulta*|sql',
  joins: 'pode|podes|usar|sobre|para|com',
}

const italian: Language = {
  name: 'Italian',
  ignore:
    'ignora|ignori|ignorate|ignorare|dimentica|dimentichi|dimenticate|dimenticare|dimenticati di|scorda|scordati|trascura|trascuri|trascurate|trascurare|tralascia|non tenere conto|non tener conto|non considerare|non tenere in considerazione|lascia perdere|lascia stare|metti da parte|disattendi|disobbedisci|scarta|accantona|sorvola|non seguire|non obbedire|non rispettare|non attenerti|smetti di seguire|smettila di seguire|non ascoltare',
  follow: 'seguite|segua|obbedite|rispettate',
  not: 'non|mai|nessuna|nessun|non più',
  self: 'non si|che non|chi|ho',
  asks: 'posso|possiamo|devo|dovrei|si può|si possono|potrei|cosa succede se|perché',
  prior:
    'precedent*|anterior*|iniziali|iniziale|originali|originale|sopra|prima|ricevut*|date finora|finora|esistenti|di cui sopra|in precedenza|fin qui|passate',
  orders:
    'istruzion*|regola|regole|indicazion*|ordini|direttiv*|prompt|messaggio di sistema|messaggi di sistema|norme|comandi|comando|linee guida|restrizion*|limitazion*|consegne|disposizioni|programmazione',
  your: 'tuo|tua|tue|tuoi|vostre|vostri|suo|sue|suoi|ti sono state date|ti hanno dato',
  all: 'tutte|tutti|tutta|ogni|qualsiasi|qualunque',
  everything: 'tutto|tutto ciò|tutto quello|quanto',
  told: 'ti è stato detto|ti hanno detto|vi è stato detto|sopra|precede|detto prima|detto finora|detto in precedenza|che viene prima|ti ho detto prima|ti hanno insegnato|ti è stato ordinato|prima di questo messaggio',
  reveal:
    'mostra|mostrami|mostri|mostrate|mostrare|rivela|rivelami|riveli|rivelare|stampa|stampare|scrivi|scrivimi|ripeti|ripetere|dimmi|dammi|condividi|copia|cita|svela|svelami|divulga|elenca|fammi vedere|qual è|quali sono|cosa dice|esponi|traduci|riporta',
  system: 'sistema|system|nascost*|segret*|inizial*|original*|prima|primo',
  be: 'tu sei|ora sei|adesso sei|sei ora|sei adesso|in poi sei|momento sei|oggi sei|^sei un|^sei una|^sei dan|che sei|sarai|tu sia|come se fossi|come se tu fossi|lei è ora|sei diventat*|avanti sei|sei un chatbot|sei un assistente|sei un ia|sei una ia|sei un intelligenza',
  act: 'agisci|agisca|comportati|si comporti|fingi|finga|fai finta|faccia finta|^interpreta|interpreti il ruolo|^recita|assumi il ruolo|^simula|immagina di essere|immaginati|rispondi come|^fai la parte|^impersona|impersonerai|trasformati in|^diventa',
  model:
    'ia|una ai|un ai|intelligenza artificiale|assistente|chatbot|bot|dan|chatgpt|gpt|evilgpt|modello linguistico|modello di linguaggio|modello di ia|modello non censurato|modello senza censura|modello senza filtri',
  without:
    'senza|priva di|privo di|libera da|libero da|non ha|non hai|non abbia|non conosce|non conosci|non segue|non segui|non rispetta|non rispetti|esente da|svincolat*|liberat*|non è soggett*|non sei soggett*',
  limits:
    'limite|limiti|limitazion*|restrizion*|regola|regole|norma|norme|barrier*|vincol*|divieti|principi|etico|etici|etica|etiche|morali|freni|linee guida|coscienza',
  censorship: 'censura|censure|filtro|filtri|tabù|scrupoli|morale',
  free: 'non censurat*|amorale|immorale|disinibit*|illimitata|senza censurare|non filtrat*|sfrenat*|incensurat*',
  answer: 'rispondi|rispondimi|^risponda|^parla|parlami',
  keeps:
    'viol*|infrang*|tradi*|rivel*|menzion*|tempo|dati|parole|lunghezza|età|accesso|velocità|caffè|foto*|sigarett*|usare|utilizzare|query|sql',
  joins: 'e|puoi|usare|su|per|con',
}

const romanian: Language = {
  name: 'Romanian',
  ignore:
    'ignoră|ignorați|ignora|ignori|uită|uitați|uita|uiți|omite|nu ține cont|nu ține seama|nu lua în considerare|nu țineți cont|lasă deoparte|lăsați deoparte|dă uitării|trece peste|nesocotește|desconsideră|nu urma|nu mai urma|nu respecta|nu mai respecta|nu asculta|nu mai asculta|nu te supune',
  follow: 'urmați|respectați|ascultați',
  not: 'nu|niciodată|nici una|nicio|niciun|nu mai|să nu',
  self: 'nu se|care nu|am',
  asks: 'pot să|pot|putem|ar trebui să|trebuie să|se poate|se pot|de ce',
  prior:
    'anterioar*|anterior|precedent*|dinainte|de mai sus|inițial*|original*|prealabil*|existente|până acum|primite|de dinainte|mai devreme',
  orders:
    'instrucțiun*|instructiun*|instrucția|reguli|regulile|regulilor|indicații*|indicatii*|ordine|ordinele|directiv*|prompt|promptul|prompturi*|promptului|comenzi|comenzile|mesajul de sistem|mesajul sistemului|restricții*|limitări*|îndrumări*|linii directoare',
  your: 'tău|tale|tăi|dumneavoastră|voastre|vostru',
  all: 'toate|toți|tuturor|orice|fiecare',
  everything: 'tot|tot ce|totul',
  told: 'ți s a spus|vi s a spus|s a spus|de mai sus|ai fost învățat|ți s a zis|spus înainte|spus anterior|spus până acum|ți am spus|înainte de acest mesaj|ai primit',
  reveal:
    'arată|arată mi|arătați|afișează|afișați|dezvăluie|dezvăluiți|tipărește|scrie|scrie mi|repetă|repetați|spune|spune mi|dă mi|copiază|citează|divulgă|transmite|care este|care sunt|ce scrie|ce conține|redă',
  system: 'sistem|sistemului|system|ascuns*|secret*|inițial*|original*|primul|prima',
  be: 'ești|vei fi|ca și cum ai fi|de parcă ai fi|dumneavoastră sunteți|sunteți acum|devii',
  act: '^acționează|comportă te|poartă te|prefă te|pretinde că|^joacă rolul|^interpretează rolul|imaginează ți că ești|^simulează|^răspunde ca|asumă ți rolul|intră în rolul',
  model:
    'un ai|o inteligență artificială|inteligență artificială|asistent*|chatbot*|bot|model lingvistic|model ai|chatgpt|gpt|evilgpt|ești dan|ca dan|model de limbaj|model necenzurat|model fără cenzură',
  without:
    'fără|liber de|liberă de|nu are|nu ai|nu cunoaște|nu cunoști|nu respectă|nu respecți|nu urmează|lipsit de|lipsită de|eliberat de|eliberată de',
  limits:
    'limite|limitări*|restricți*|reguli|regulă|norme|bariere|constrângeri|interdicții|principii|etice|etică|morale',
  censorship: 'cenzură|filtre|filtru|tabuuri|scrupule|morală',
  free: 'necenzurat*|nefiltrat*|amoral*|imoral*|nelimitată|nerestricționat*|dezlănțuit*',
  answer: '^răspunde|răspunde mi|răspundeți mi|vei răspunde|^vorbește',
  keeps: 'încălc*|dezvălui*|mențion*|timp|date|cuvinte|vârstă|acces|cafea*|foto*|poz*',
  joins: 'și|poți|folosi|despre|pentru|cu',
}

export const romance: readonly Language[] = [french, spanish, portuguese, italian, romanian]
