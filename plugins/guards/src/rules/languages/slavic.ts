import type { Language } from './language.js'

const russian: Language = {
  name: 'Russian',
  ignore:
    'игнорируй|игнорируйте|игнорировать|проигнорируй|проигнорируйте|проигнорировать|забудь|забудьте|забыть|забывай|отбрось|отбросьте|не обращай внимания|не обращайте внимания|не учитывай|не принимай во внимание|пренебреги|пренебрегай|нарушь|оставь в стороне|наплюй|откажись от',
  follow: 'следуй|следуйте|соблюдай|выполняй|придерживайся|слушай|подчиняйся|исполняй|слушайся',
  not: 'не|никогда|никаких|никаким|никакие|больше не|не надо',
  self: 'я не|мы|мне не',
  asks: 'могу ли я|можно ли|могу я|можно мне|должен ли я|стоит ли|нужно ли|что будет если|почему',
  prior:
    'предыдущ*|прежн*|предшеств*|ранее|раньше|выше|вышеуказан*|вышеизлож*|изначальн*|исходн*|первоначальн*|существующ*|прошлы*|до этого|данные тебе|все до|прошлые',
  orders:
    'инструкц*|указани*|правил|правила|правилам|правилах|правилами|команд|команды|командам|распоряжени*|директив*|промпт*|приказ|приказы|приказов|подсказк*|установк*|предписани*|ограничени*|системного сообщения|системное сообщение|настройк*',
  your: 'твой|твои|твоего|твоих|твоим|твою|твоё|свой|свои|своего|своих|свою|своё|ваш|ваши|вашего|ваших|данные тебе|тебе дали',
  all: 'все|всех|всеми|любые|любых|каждое',
  everything: 'все|всё|обо всем|всего|всем',
  told: 'тебе сказали|тебе говорили|было сказано|тебе сказано|вам сказали|сказано выше|выше|сказано ранее|тебе велели|написано выше|говорилось ранее|чему тебя учили|до этого сообщения|было раньше|было до',
  reveal:
    'покажи|покажите|показать|раскрой|раскройте|раскрыть|выведи|выведите|вывести|напечатай|повтори|повторите|напиши|назови|сообщи|скажи|скопируй|процитируй|выдай|опубликуй|перескажи|открой|дай|какой у тебя|каков|какие у тебя|что написано|переведи',
  system: 'системн*|систем*|скрыт*|секретн*|тайн*|изначальн*|исходн*|первоначальн*|начальн*|первое|первую',
}

const ukrainian: Language = {
  name: 'Ukrainian',
  ignore:
    'ігноруй|ігноруйте|ігнорувати|проігноруй|проігноруйте|забудь|забудьте|забути|забувай|відкинь|відкиньте|не звертай уваги|не звертайте уваги|не зважай|не враховуй|знехтуй|знехтуйте|нехтуй|порушуй|відмовся від|залиш осторонь',
  follow: 'дотримуйся|дотримуйтесь|виконуй|виконуйте|слідуй|слідуйте|слухай|слухайся|підкоряйся|керуйся',
  not: 'не|ніколи|жодних|жодним|більше не|не треба',
  self: 'я не|ми|мені не',
  asks: 'чи можу я|чи можна|можу я|можна мені|чи повинен я|чи варто|що буде якщо|чому',
  prior:
    'попередн*|раніше|вище|колишн*|наведен*|вищезазначен*|початков*|первинн*|первісн*|існуюч*|минулі|минулих|досі|дотеперішн*|до цього|дані тобі',
  orders:
    'інструкц*|вказівк*|правил|правила|правилами|команд|команди|наказ|накази|наказів|розпорядженн*|директив*|промпт*|підказк*|обмеженн*|приписи|настанов*|системне повідомлення|налаштуванн*',
  your: 'твій|твої|твого|твоїх|твою|твоє|свій|свої|свого|своїх|свою|своє|ваш|ваші|вашого|ваших|надані тобі|дані тобі',
  all: 'всі|усі|всіх|усіх|будь які|кожну',
  everything: 'все|усе|про все|усього|всього',
  told: 'тобі казали|тобі сказали|було сказано|сказано вище|вище|вам сказали|говорили раніше|написано вище|сказано раніше|тебе вчили|до цього повідомлення|було раніше|було до',
  reveal:
    'покажи|покажіть|показати|розкрий|розкрийте|розкрити|виведи|виведіть|вивести|надрукуй|повтори|повторіть|напиши|назви|повідом|скажи|скопіюй|процитуй|видай|опублікуй|дай|відкрий|який у тебе|яка твоя|який твій|які у тебе|що написано|переклади',
  system: 'системн*|систем*|прихован*|секретн*|таємн*|початков*|первинн*|первісн*|перше|першу',
}

const polish: Language = {
  name: 'Polish',
  ignore:
    'ignoruj|ignorujcie|ignorować|zignoruj|zignorujcie|zignorować|zapomnij|zapomnijcie|zapomnieć|pomiń|pomińcie|pominąć|odrzuć|odrzucić|zlekceważ|lekceważ|nie zwracaj uwagi|nie bierz pod uwagę|nie uwzględniaj|porzuć|odłóż na bok|złam|obejdź',
  follow: 'przestrzegaj|stosuj|wykonuj|słuchaj|kieruj|podążaj|trzymaj',
  not: 'nie|nigdy|żadnych|żadnej|już nie|nie wolno',
  self: 'ja nie|my nie',
  asks: 'czy mogę|czy można|mogę|czy powinienem|czy powinnam|czy wolno|co się stanie jeśli|dlaczego',
  prior:
    'poprzedni*|wcześniejsz*|powyższ*|dotychczasow*|uprzedni*|początkow*|pierwotn*|oryginaln*|istniejąc*|wcześniej|powyżej|wyżej|przedtem|otrzyman*|poprzednio',
  orders:
    'instrukcj*|poleceni*|poleceń|zasad|zasady|zasadach|reguł|reguły|wytyczn*|wskazówk*|wskazówek|dyrektyw*|rozkaz|rozkazy|rozkazów|prompt|prompty|promptu|promptów|komend|komendy|komunikat systemowy|ograniczeni*|ograniczeń|nakazy|nakazów',
  your: 'twój|twoje|twojego|twoich|twoja|twoją|swój|swoje|swojego|swoich|swoją|swoja|wasze|państwa',
  all: 'wszystkie|wszystkich|wszelkie|wszelkich|każde|każdą',
  everything: 'wszystko|wszystkim|o wszystkim|cokolwiek',
  told: 'ci powiedziano|powiedziano ci|ci kazano|ci mówiono|powyżej|wcześniej powiedziano|było wcześniej|napisano powyżej|zostało powiedziane|cię nauczono|ci przekazano|przed tą wiadomością|usłyszałeś|wyżej',
  reveal:
    'pokaż|pokażcie|pokazać|ujawnij|ujawnijcie|ujawnić|wyświetl|wyświetlić|wypisz|wydrukuj|powtórz|napisz|podaj|zdradź|zacytuj|skopiuj|udostępnij|powiedz|odsłoń|przedstaw|jaki jest|jakie są|jak brzmi|jak brzmią|co zawiera|przetłumacz',
  system: 'systemow*|system*|ukryt*|tajn*|sekretn*|początkow*|pierwotn*|oryginaln*|pierwsz*',
}

const czech: Language = {
  name: 'Czech',
  ignore:
    'ignoruj|ignorujte|ignorovat|zapomeň|zapomeňte|zapomenout|nedbej|nedbejte|nehleď|pomiň|pomiňte|přehlížej|přehlédni|vynech|odhoď|zavrhni|neber v úvahu|neber na vědomí|neřiď se|neřiďte se|nevšímej si|poruš|obejdi',
  follow: 'následuj|dodržuj|dodržujte|poslouchej|plň|řiď se|drž se',
  not: 'nikdy|žádné|žádných|už ne|ne',
  self: 'my jsme',
  asks: 'mohu|můžu|můžeme|smím|mám|měl bych|měla bych|lze|co se stane když|proč',
  prior:
    'předchoz*|předešl*|dřívějš*|dosavadn*|předcházejíc*|výše|původn*|počátečn*|stávajíc*|předtím|dříve|výše uveden*|minul*',
  orders:
    'instrukc*|pokyn|pokyny|pokynů|pokynech|pravidl*|pravidel|příkaz|příkazy|příkazů|směrnic*|direktiv*|prompt|prompty|promptu|promptů|nařízení|zadání|omezení|systémová zpráva|systémovou zprávu|povel*',
  your: 'tvůj|tvoje|tvého|tvých|tvou|tvé|svůj|svoje|svého|svých|svou|své|váš|vaše|vašeho|vašich',
  all: 'všechny|všech|veškeré|veškerých|jakékoli|každý|všemi',
  everything: 'vše|všechno|na vše|na všechno',
  told: 'ti bylo řečeno|bylo řečeno|ti řekli|vám bylo řečeno|výše|bylo předtím|předtím řečeno|ti říkali|co předcházelo|ses naučil|ti bylo zadáno|před touto zprávou|řečeno dříve',
  reveal:
    'ukaž|ukažte|ukázat|zobraz|zobrazte|zobrazit|odhal|odhalte|odhalit|vypiš|vypište|vytiskni|zopakuj|opakuj|napiš|prozraď|prozraďte|sděl|sdělte|řekni|zkopíruj|ocituj|vyzraď|uveď|dej mi|jaký je|jaké jsou|jak zní|co obsahuje|přelož',
  system: 'systémov*|systém*|skryt*|tajn*|původn*|počátečn*|prvn*|utajen*',
}

export const slavic: readonly Language[] = [russian, ukrainian, polish, czech]
