import type { Language } from './language.js'

const french: Language = {
  name: 'French',
  ignore:
    'ignore|ignorez|ignores|ignorer|oublie|oublies|oubliez|oublier|néglige|négligez|négliger|fais abstraction|faites abstraction|faire abstraction|fais fi|ne tiens pas compte|ne tenez pas compte|ne tiens plus compte|ne tenez plus compte|ne tiens aucun compte|sans tenir compte|passe outre|passez outre|mets de côté|laisse de côté|laisse tomber|écarte|écartez|outrepasse|désobéis|désobéissez|contourne',
  follow: 'suis|suivez|respecte|respectez|obéis|obéissez|applique|appliquez|écoute|écoutez',
  not: 'pas|plus|jamais|aucune|aucun|n',
  self: 'j|je|on|ne pas|il',
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
}

const spanish: Language = {
  name: 'Spanish',
  ignore:
    'ignora|ignore|ignoren|ignorar|ignores|ignorad|olvida|olvídate|olvide|olvídese|olviden|olvidar|olvides|olvidate de|descarta|descarte|descartar|desatiende|omite|omita|omitir|pasa por alto|pase por alto|haz caso omiso|haga caso omiso|hacer caso omiso|no hagas caso|no tengas en cuenta|no tomes en cuenta|deja de lado|deja de seguir|deja atrás|prescinde|desobedece|desoye|sáltate|elude',
  follow: 'sigas|siga|sigan|obedezcas|obedezca|cumplas|cumpla|respetes|apliques|hagas caso',
  not: 'no|nunca|jamás|ninguna|ningún|ya no|no te|no se',
  self: 'se me|yo no|que no|quien',
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
}

export const romance: readonly Language[] = [french, spanish, portuguese, italian, romanian]
