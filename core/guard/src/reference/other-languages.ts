/** The beginnings of requests, greetings and descriptions of an assistant in other languages: data, lower case. */

const openings: Readonly<Record<string, string>> = {
  German:
    'bitte|hallo|guten (?:tag|morgen|abend)|danke|vielen dank|du (?:bist|sollst|musst|hilfst|antwortest)|sie (?:sind ein|sollen|müssen)|deine? (?:aufgabe|rolle|antwort)|ich (?:möchte|will|brauche|hätte gern|suche)|antworte|schreib|verfasse|erstelle|erkläre|erklär|beschreib|fasse? |nenne?|übersetz|gib|sage? |sag mir|zeige?|liste|mach|hilf|berechne|vergleiche|analysiere|beantworte|finde|erzähl|verwende|benutze|nutze|denke? |lies|prüfe|korrigiere|verbessere|generiere|stell|formuliere|zähle?|vermeide|achte',
  French:
    "s'il (?:te|vous) plaît|bonjour|bonsoir|salut|merci|tu (?:es|dois|vas)|vous êtes|vous devez|(?:ta|votre) (?:tâche|mission|réponse)|(?:je|j') ?(?:veux|voudrais|souhaite|ai besoin|aimerais|cherche)|écri[st]|écrivez|rédige|explique|décri[st]|décrivez|résume|résumez|traduis|traduisez|donne|dis|dites|montre|liste|fais|faites|aide|aidez|calcule|compare|analyse|répond|trouve|raconte|utilise|crée|génère|corrige|vérifie|nomme|cite",
  Spanish:
    'por favor|hola|buenos días|buenas (?:tardes|noches)|gracias|eres|usted es|tú eres|debes|tu (?:tarea|trabajo|respuesta)|(?:yo )?(?:quiero|quisiera|necesito|busco|me gustaría)|escrib[ea]|explic(?:a|ame|que)|explícame|describ[ea]|resum[ea]|traduc[ea]|traduzca|dame|da |dime|diga|muestra|muéstrame|enumera|haz|hazme|ayuda|ayúdame|calcula|compara|analiza|responde|contesta|encuentra|cuenta|cuéntame|usa|utiliza|crea|genera|corrige|revisa|nombra|redacta',
  Italian:
    'per favore|per piacere|ciao|buongiorno|buonasera|grazie|(?:tu )?sei (?:un|una|il|lo)|devi|il tuo (?:compito|ruolo)|(?:io )?(?:voglio|vorrei|desidero|cerco)|ho bisogno|scriv[ia]|spieg(?:a|ami|hi)|descriv[ia]|riassum[ia]|traduc[ia]|dammi|dimmi|mostra|mostrami|elenca|fai|fammi|aiuta|aiutami|calcola|confronta|analizza|rispond[ia]|trova|racconta|raccontami|usa|utilizza|crea|genera|correggi|nomina|cita',
  Portuguese:
    'olá|oi|bom dia|boa (?:tarde|noite)|obrigad[oa]|você é|tu és|você deve|sua tarefa|(?:eu )?(?:quero|queria|gostaria|preciso|procuro)|escrev[ae]|expliqu?[ea]|descrev[ae]|resum[ae]|traduz|traduza|dê|dá|diga|diz|mostre|mostra|liste|faça|faz|ajude|ajuda|calcule|compare|analise|responda|responde|encontre|conte|use|utilize|crie|gere|corrija|cite',
  Dutch:
    'alsjeblieft|alstublieft|hallo|goede(?:morgen|middag|navond)|bedankt|dank je|je bent|jij bent|u bent|je taak|jouw taak|ik (?:wil|zou graag|heb .{0,20}nodig|zoek)|schrijf|leg|beschrijf|vat|vertaal|geef|zeg|vertel|toon|laat|noem|maak|help|bereken|vergelijk|analyseer|antwoord|beantwoord|zoek|gebruik|genereer|verbeter|controleer',
  Polish:
    'proszę|cześć|dzień dobry|dziękuję|jesteś|twoim zadaniem|(?:ja )?(?:chcę|chciałbym|chciałabym|potrzebuję|szukam)|napisz|wyjaśnij|wytłumacz|opisz|streść|podsumuj|przetłumacz|podaj|powiedz|pokaż|wymień|zrób|pomóż|oblicz|porównaj|przeanalizuj|odpowiedz|znajdź|opowiedz|użyj|stwórz|utwórz|wygeneruj|popraw|sprawdź',
  Swedish:
    'snälla|hej|god (?:morgon|kväll)|tack|du är|din uppgift|jag (?:vill|skulle vilja|behöver|söker)|skriv|förklara|beskriv|sammanfatta|översätt|ge|säg|visa|lista|gör|hjälp|beräkna|jämför|analysera|svara|hitta|berätta|använd|skapa|generera|rätta',
  Russian:
    'пожалуйста|привет|здравствуй|добрый (?:день|вечер)|доброе утро|спасибо|ты —|ты -|ты должен|вы —|вы -|вы должны|твоя задача|ваша задача|(?:я )?(?:хочу|хотел|хотела|нужно|мне нужн)|напиши|объясни|опиши|резюмируй|кратко изложи|перескажи|переведи|дай|скажи|покажи|перечисли|сделай|помоги|вычисли|посчитай|сравни|проанализируй|ответь|отвечай|найди|расскажи|используй|создай|сгенерируй|исправь|проверь|назови|составь',
  Turkish:
    'lütfen|merhaba|selam|günaydın|teşekkür|sen bir|görevin|bana .{0,40}(?:yaz|anlat|söyle|ver)|(?:.{1,80} )(?:yaz|yazın|açıkla|açıklayın|anlat|özetle|özetleyin|çevir|çevirin|listele|söyle)[.!]?$',
  Chinese:
    '请|請|你好|您好|谢谢|謝謝|你是|您是|你的任务|我(?:想|需要|要|希望)|帮我|幫我|写|寫|解释|解釋|描述|总结|總結|概括|翻译|翻譯|给我|給我|告诉我|告訴我|列出|计算|計算|比较|比較|分析|回答|生成|创建|修改|检查|介绍|说明',
  Japanese:
    'こんにちは|こんばんは|おはよう|ありがとう|あなたは|.{0,200}(?:ください|下さい|お願いします|おねがいします|教えて|おしえて|書いて|して|なさい|しろ|せよ|ですか|ますか)[。！!]?$',
  Korean: '안녕|감사|고마|당신은|너는|.{0,200}(?:주세요|줘|하세요|해라|십시오|시오|까요|나요|습니까|세요|해줘)[.!]?$',
}

/** Words that only English has among these languages. */
const english = /\b(?:the|and|are|were|has|with|from|that|for|by|his|her|its|this)\b/i

const byLanguage = Object.values(openings).map((pattern) => new RegExp(`^(?:${pattern})`, 'iu'))

/** Whether a sentence in another language than English begins or ends like one that states nothing. */
export const asksInOtherLanguage = (sentence: string): boolean =>
  !english.test(sentence) &&
  byLanguage.some((pattern) => {
    const found = pattern.exec(sentence)
    return found !== null && endsWord(sentence, found[0].length)
  })

/** Letters of scripts without spaces end a word anywhere. */
const endsWord = (sentence: string, at: number): boolean =>
  !/[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(sentence[at - 1] ?? '') ||
  !/^[\p{Script=Latin}\p{Script=Cyrillic}]{3,}/u.test(sentence.slice(at))
