import type { Pattern, Recognizer } from './recognizer.js'
import data from './person-in-scripts.json' with { type: 'json' }

/** Frequent surnames of one and of two characters, without those that are more often verbs or other words. */
const { surnames, ...texts } = data

/** Letters and marks of the scripts of these names, as ranges: classes of whole scripts compile to much code. */
const cyrillicOrGreek = String.raw`\u0370-\u0373\u0376-\u052f\u1f00-\u1fff`
const hebrewLetter = String.raw`\u05b0-\u05ea`
const arabicLetter = String.raw`\u0620-\u065f\u066e-\u06d3\u06fa-\u06ff`
const hindiLetter = String.raw`\u0900-\u0963\u0971-\u097f`
const letters = String.raw`a-zA-Z\d\u00c0-\u024f${cyrillicOrGreek}${hebrewLetter}${arabicLetter}${hindiLetter}`
const [han, hiragana, katakana, hangul] = ['[一-鿿㐀-䶿々]', '[ぁ-ゖ]', '[ァ-ヺー・]', '[가-힣]']
const eastern = '一-鿿㐀-䶿々ぁ-ゖァ-ヺー가-힣'
const notInWord = `(?<![${letters}${eastern}])`
/** `파일 이름:` and `название файла:` are names of things. */
const notAfterWord = `(?<![${letters}${eastern}_] ?)`
const colon = String.raw`["']? {0,3}[:：=|] {0,8}["']?`
/** A word of the name ends here, and is not a label itself. */
const wordEnds = `(?![${letters}]|["']? {0,3}[:：])`

const after = (leads: string, name: string): Pattern => ({
  regex: new RegExp(`(?<lead>${leads})${name}`, 'u'),
  score: 0.75,
})

const capital = String.raw`[A-Z\u0386\u0388-\u03ab\u0400-\u042f]`
const cased = `${capital}[${letters}'’-]{1,30}${wordEnds}`
/** Excludes the next heading of a table after a label. */
const notHeading = String.raw`(?!(?<=\| {0,8})(?:Возраст|Фамилия|Имя|Отчество|Телефон|Адрес|Город|Почта|Должность|Отдел|Дата(?: рождения)?|Пол|Номер|Статус|Роль|Страна|Email|Ηλικ[ίι]α|Επ[ώω]νυμο|Τηλ[έε]φωνο|Δι?ε[ύυ]θυνση|Π[όο]λη) {0,8}\|)`
/** Letters with and without marks, as texts are read without them. */
const casedLabels = [
  '(?:[Пп]олное |[Вв]аше |[Мм]о[её] )?[Ии]мя(?: и (?:фамилия|отчество)| (?:клиента|пациента|сотрудника|покупателя|получателя))?',
  'ИМЯ|ФИО(?: (?:клиента|пациента|сотрудника))?|Ф\\. ?И\\. ?О\\.|[Фф]амилия|ФАМИЛИЯ|[Оо]тчество|[Пп]ациент|[Сс]отрудник|[Пп]олучатель',
  "ПІБ|(?:[Пп]овне )?[Іі]м['’]я|[Пп]різвище|[Пп]о батькові|[Ии]ме|[Пп]рез?име|[Фф]амилно име",
  '[ΌόΟο]νομα|ΟΝΟΜΑ|[Οο]νοματεπ[ώω]νυμο|ΟΝΟΜΑΤΕΠΩΝΥΜΟ|[Εε]π[ώω]νυμο|[Εε]π[ίι]θετο|[Αα]σθεν[ήη]ς',
].join('|')
const casedLeads = [
  '[Мм]еня зовут|[Мм]о[её] имя|[Мм]оя фамилия|[Сс] уважением,',
  "[Мм]ене (?:звати|звуть)|[Мм]оє ім['’]я|[Зз] повагою,|[Кк]азвам се|[Мм]оето име е|[Зз]овем се|[Мм]оје име је",
  '[Μμ]ε λ[έε]νε|[Οο]νομ[άα]ζομαι|[Λλ][έε]γομαι|[Ττ]ο [όο]νομ[αά] μου ε[ίι]ναι|[Μμ]ε εκτ[ίι]μηση,',
].join('|')

/** Characters that may follow a name, but do not begin a second part of it. */
const notGiven = '[今是在我你他她它来住和与与從从有也很现現电電这這就并因的了，。]'
const chinese =
  `(?:${han}{1,8}[·・]${han}{1,8}` +
  `|(?:[${surnames.chinese}]|${surnames.longChinese})(?!${notGiven})${han}(?:(?!${notGiven})${han})?)`

const notPlaceholder = '(?!なし|無し|未定|未記入|未入力|不明|匿名|非公開|必須|任意|秘密|内緒|なん|なに|何)'
const japaneseEnds = `(?=で(?:す|ござ|あ)|だ(?:よ|。)|と(?:申|もう|いい|言い|いう|言う)|っていい|様|さん|(?![${letters}${eastern}]))`
/** A Japanese name without the particles after it; a space may separate its parts. */
const japanese = `${notPlaceholder}(?:${han}{1,4} ?${han}{1,4}?|${han}{1,3} ?${hiragana}{2,5}?|${han}{1,3} ?${katakana}{2,8}|${hiragana}{2,8}?(?: ${hiragana}{1,8}?)?|${katakana}{2,10}(?: ${katakana}{2,10})?)${japaneseEnds}`

const koreanEnds = `(?=입니다|이에요|예요|이예요|이야|이고|이며|(?:이)?라고|님|씨|(?![${letters}${eastern}]))`
const korean = `(?:(?:${surnames.longKorean})${hangul}{1,2}?|[${surnames.korean}] ?${hangul}{1,2}?)`

const word = (script: string, stop: string) => `(?!(?:${stop})(?![${letters}]))[${script}]{2,24}${wordEnds}`
const words = (one: string, max: number, notFirst = ''): string => `${one}(?: ${notFirst}${one}){0,${max - 1}}`

const arabic = word(
  arabicLetter,
  'من|في|عن|على|هو|هي|أنا|انا|ليس|ما|لا|غير|عمري|أعمل|اعمل|أسكن|اسكن|أعيش|وأنا|لكن|است|هست|هستم|ہے|و|اور|کیا|نہیں|چیست',
)
const hebrew = word(`${hebrewLetter}'"-`, 'לא|אני|ואני|הוא|היא|זה|של|עם|גר|גרה|בן|בת|מה|איך|את')
const hindi = word(hindiLetter, 'है|हैं|था|क्या|नहीं|और|मैं|की|का|के|में')

/** Names in scripts that models do not read, after a label or a phrase that introduces them. */
export const nonLatinPerson: Recognizer = {
  entity: 'PERSON',
  patterns: [
    after(
      `(?=[${cyrillicOrGreek}])(?:${notAfterWord}(?:${casedLabels})${colon}|${notInWord}(?:${casedLeads})(?: [-–—])?\\s{1,3})`,
      `${notHeading}${cased}(?: ${cased}| ?${capital}\\.){0,2}`,
    ),
    after(
      `(?:(?:姓名|联系人|联络人|聯絡人|聯繫人|收件人|收货人|收貨人|患者|${notInWord}名字)${colon}|(?:我叫做?|我名叫|(?:我|他|她)的(?:名字|姓名)(?:是|叫做?)|名叫) ?)`,
      chinese,
    ),
    after(`(?:氏名|フルネーム|お名前|担当者|患者名|${notInWord}名前)${colon}`, japanese),
    after(`(?:私|わたし|僕|ぼく|俺)の(?:名前|氏名|本名)は、? ?`, japanese),
    {
      regex: new RegExp(
        `(?=[ぁ-ヿ々一-鿿])${notInWord}(?<lead>(?:(?:私|わたくし|わたし|僕)は、?)?)(?:${han}|${hiragana}|${katakana}){2,8}?(?=と(?:申|もう)します)`,
        'u',
      ),
      score: 0.75,
    },
    after(
      `(?:(?:${notAfterWord}(?:고객 ?|환자 ?|신청인 ?|제 |내 )?이름|성명|성함|고객명|환자명|담당자|수령인|받는 ?사람)${colon}|${notInWord}(?:제|내|저의|나의) (?:이름|성함)은 )`,
      `(?!비밀)(?:${korean}${koreanEnds}|${hangul}{2,4}?(?=입니다|이에요|예요|이야))`,
    ),
    after(`${notInWord}(?:저는|나는|전) `, `${korean}(?=(?:이)?라고 (?:합|해|불|부))`),
    after(
      `${notAfterWord}(?:ال[اإ]سم(?: (?:الكامل|الأول|الاول))?|اسم (?:العميل|المريض|العائلة|الأب|الأم)|نام(?: و نام خانوادگی| خانوادگی)?|نام کامل)${colon}`,
      words(arabic, 4),
    ),
    after(`${notInWord}(?:اسمي(?: هو)?|(?:نام|اسم) من|میرا نام|إسمي(?: هو)?) `, words(arabic, 2, '(?!و)')),
    after(`${notAfterWord}(?:שם(?: (?:מלא|פרטי|משפחה|ומשפחה|פרטי ומשפחה|הלקוח|המטופל))?)${colon}`, words(hebrew, 3)),
    after(`${notInWord}(?:שמי(?: הוא)?|השם שלי(?: הוא)?|קוראים לי) `, words(hebrew, 2, '(?!ו)')),
    after(
      `(?:${notAfterWord}(?:पूरा |(?:रोगी|मरीज़|ग्राहक|आवेदक|पिता|माता|पति|पत्नी) का )?नाम${colon}|${notInWord}मेरा (?:पूरा )?नाम )`,
      words(hindi, 3),
    ),
  ],
  ...texts,
}
