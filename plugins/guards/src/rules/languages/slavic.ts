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
  be: 'отныне ты|теперь ты|ты теперь|момента ты|сейчас ты|ты сейчас|пор ты|что ты|будто ты|словно ты|ты это|ты ии|ты dan|ты нейросеть|ты искусственный|ты модель|ты языковая|ты чат|ты ассистент|ты помощник|вы теперь|теперь вы|отныне вы|дальше ты|ты станешь|ты будешь|ты становишься|ты стал|ты превращаешься',
  act: 'веди себя|ведите себя|действуй как|действуйте как|притворись|притворитесь|сыграй роль|играй роль|сыграйте роль|исполни роль|представь себя|стань|станьте|^будь|отвечай как|отвечай от лица|прикинься|имитируй|симулируй|изобрази|вообрази себя|сделай вид|войди в роль|говори как|притворяйся|изображай',
  model:
    'ии|ai|искусственный интеллект|искусственного интеллекта|искусственным интеллектом|нейросеть*|нейросетью|нейросети|чат бот*|чатбот*|бот|бота|ботом|ассистент*|помощник*|языковая модель|языковой моделью|языковую модель|dan|дэн|gpt|chatgpt|evilgpt|модель ии|ии модель|модель без цензур*|модель без фильтр*|моделью без цензур*|нецензурируемая модель',
  without:
    'без|нет|свободн*|лишен|лишенн*|не имеет|не имеющ*|не имеешь|не знает|не знающ*|не знаешь|не подчиня*|не связан*|не следует|не признает|не признаешь|не соблюда*|никаких|вне|освобожден*|не скован*',
  limits:
    'ограничен*|правил|правила|правилам|рамок|рамки|запрет*|лимит*|предел*|границ*|норм|принцип*|этическ*|моральн*|законов|законы|законам|тормозов|барьер*|инструкций|совест*',
  censorship: 'цензур*|фильтр*|морал*|табу|этик*',
  free: 'неограниченн*|безграничн*|нецензурируем*|нефильтрованн*|аморальн*|беспринципн*|бесцензурн*|безнравственн*|ничем не ограничен*|раскрепощенн*|неэтичн*',
  answer: 'отвечай|отвечайте|ответь|ответьте|говори',
  keeps:
    'наруш*|обход*|раскрыв*|упомин*|времен*|врем*|скорост*|трафик*|объем*|слов|возраст*|доступ*|длин*|размер*|кофе|фото*|сигарет*|использ*|запрос*',
  joins: 'и|можешь|можете|пользов*|об|про|о|с|для',
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
  be: 'віднині ти|тепер ти|ти тепер|моменту ти|зараз ти|ти зараз|що ти|ніби ти|наче ти|ти це|ти ші|ти dan|ти нейромережа|ти штучний|ти модель|ти чат|ти мовна|ти асистент|ви тепер|тепер ви|відтепер ти|надалі ти|ти будеш|ти станеш|ти стаєш',
  act: 'поводься|поводьтеся|дій як|дійте як|вдавай|вдай|прикинься|зіграй роль|грай роль|уяви себе|стань|^будь|відповідай як|імітуй|симулюй|увійди в роль|виконуй роль|зроби вигляд|прикидайся',
  model:
    'ші|ai|штучний інтелект|штучного інтелекту|штучним інтелектом|нейромереж*|чат бот*|чатбот*|бот|бота|ботом|асистент*|помічник*|мовна модель|мовною моделлю|мовну модель|dan|gpt|chatgpt|evilgpt|модель ші|модель без цензур*|модель без фільтр*|моделлю без цензур*|нецензурована модель',
  without:
    'без|немає|не має|не маєш|вільн*|позбавлен*|не знає|не знаєш|не підкоря*|не звязан*|не зв язан*|не слідує|не визнає|не дотриму*|жодних|поза|звільнен*',
  limits:
    'обмежен*|правил|правила|правилам|рамок|заборон*|ліміт*|меж|межі|кордонів|норм|принцип*|етичн*|моральн*|законів|бар єр*|совіст*',
  censorship: 'цензур*|фільтр*|морал*|табу|етик*',
  free: 'необмежен*|безмежн*|нецензурован*|нефільтрован*|аморальн*|безпринципн*|нічим не обмежен*|неетичн*',
  answer: 'відповідай|відповідайте|відповіж|дай відповідь|говори',
  keeps: 'поруш*|обход*|розкрив*|згаду*|час*|швидкост*|трафік*|обсяг*|слів|вік*|доступ*|кав*|фото*',
  joins: 'і|й|та|можеш|можете|користу*|про|з|для',
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
  be: 'jesteś|będziesz|stajesz się|byłbyś|jakbyś był|jakbyś była|jest pan teraz',
  act: 'udawaj|zachowuj się|zachowaj się jak|działaj jak|działaj jako|wciel się|odgrywaj|zagraj rolę|graj rolę|odegraj|bądź|stań się|odpowiadaj jak|wyobraź sobie siebie|symuluj|przyjmij rolę|wejdź w rolę',
  model:
    'ai|sztuczna inteligencja|sztuczną inteligencją|sztucznej inteligencji|sztuczną inteligencję|chatbot*|bot|bota|botem|asystent*|dan|gpt|chatgpt|evilgpt|model językowy|modelem językowym|model bez cenzury|model bez filtrów|modelem bez cenzury|model pozbawiony filtrów',
  without:
    'bez|nie ma|nie masz|nie mając*|wolny od|wolna od|wolną od|wolnym od|pozbawion*|nie zna|nie znasz|nie przestrzega|nie przestrzegasz|nie podlega|nie podlegasz|nie obowiązują|żadnych|niezwiązan*|uwolnion*',
  limits:
    'ograniczeń|ograniczenia|ograniczeniami|ograniczeniom|zasad|zasady|reguł|reguły|limit*|granic|granice|zakaz*|barier*|norm|normy|hamulców|etyczn*|moraln*|praw|sumienia',
  censorship: 'cenzur*|filtr*|moralności|skrupułów|tabu|zahamowań|etyki',
  free: 'nieograniczon*|nieocenzurowan*|niecenzurowan*|niefiltrowan*|amoraln*|niemoraln*|nieskrępowan*|nieetyczn*',
  answer: 'odpowiadaj|odpowiedz|odpowiadajcie|mów',
  keeps: 'narusz*|łam*|złam*|omij*|ujawni*|wspomin*|czas*|danych|słów|dostęp*|wiek*|prędkości|kaw*|zdjęć|zdjęcia',
  joins: 'i|możesz|używać|o|dla|z',
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
  be: 'jsi|budeš|stáváš se|bys byl|bys byla|jste nyní|jste teď',
  act: 'chovej se|předstírej|jednej jako|hraj roli|zahraj si|zahraj roli|vžij se do|odpovídej jako|simuluj|^buď|staň se|dělej že|představ si že jsi|vystupuj jako',
  model:
    'ai|umělá inteligence|umělou inteligencí|umělé inteligence|umělou inteligenci|chatbot*|bot|bota|botem|asistent*|gpt|chatgpt|evilgpt|jsi dan|jako dan|jazykový model|jazykovým modelem|model bez cenzury|model bez filtrů',
  without:
    'bez|nemá|nemáš|nezná|neznáš|neřídí se|neplatí|žádná|žádné|žádných|osvobozen*|zbaven*|nepodléh*|nerespektuj*',
  limits:
    'omezení|omezeními|pravidel|pravidla|pravidly|hranic|hranice|limit*|zákaz*|norem|zásad|zásady|etick*|moráln*|zákonů|bariér*|svědomí',
  censorship: 'cenzur*|filtr*|morálky|skrupulí|tabu|zábran|etik*',
  free: 'neomezen*|necenzurovan*|nefiltrovan*|amoráln*|nemoráln*|bezskrupulózn*|nespoutan*|neetick*',
  answer: 'odpovídej|odpověz|odpovídejte|odpovězte|mluv',
  keeps: 'poruš*|obch*|prozra*|zmiň*|čas*|dat|slov|přístup*|rychlosti|věk*|neporuš*|neobch*|káv*|fot*',
  joins: 'a|můžeš|používat|o|pro|s',
}

export const slavic: readonly Language[] = [russian, ukrainian, polish, czech]
