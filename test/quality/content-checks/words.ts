import { words } from '@sallyport/content-checks'
import { ordinaryTexts } from './everyday-texts.js'
import { alternately } from './rows.js'
import type { Measured, Row } from './rows.js'

const names = [
  'Project Bluebird',
  'Nightjar',
  'Globex Corporation',
  'Initech',
  'Saturn Ring',
  'Umbrella',
  'Vandelay',
  'Tyrell',
]
const options = {
  lists: {
    codenames: [
      ...names.slice(0, 4),
      '天马计划',
      'รุ่งอรุณ',
      'операция восход',
      '비밀정원',
      { pattern: String.raw`\bAPX-\d{4}\b` },
    ],
    rivals: [...names.slice(4), 'AT&K', 'C--', 'Straßenbau', { pattern: String.raw`[a-z\d-]+\.corp\.example` }],
  },
}

const spelled = (text: string, between: string) => Array.from(text.replaceAll(' ', '')).join(between)
const shifted = (text: string, first: number) =>
  text.replace(/[a-z]/g, (letter) => String.fromCodePoint(first + letter.charCodeAt(0) - 97))
const replaced = (text: string, letters: Readonly<Record<string, string>>) =>
  Array.from(text, (letter) => letters[letter] ?? letter).join('')

/** How a name is written, by the name of the kind. */
const disguises: Readonly<Record<string, (name: string) => string>> = {
  'as it stands': (name) => name,
  'in capitals': (name) => name.toUpperCase(),
  'in small letters': (name) => name.toLowerCase(),
  'in quotes': (name) => `“${name}”`,
  'in emphasis': (name) => `**${name}**`,
  'as a genitive': (name) => `${name}’s`,
  'as a hashtag': (name) => `#${name.replaceAll(' ', '')}`,
  'in snake case': (name) => `my_${name.toLowerCase().replaceAll(' ', '_')}_file`,
  'in kebab case': (name) => `/docs/${name.toLowerCase().replaceAll(' ', '-')}.html`,
  'over a line end': (name) => name.replace(' ', '\n  '),
  'with its letters apart': (name) => spelled(name, ' '),
  'with full stops': (name) => spelled(name, '.'),
  'with hyphens': (name) => spelled(name, '-'),
  'with zero width spaces': (name) => spelled(name, '\u200b'),
  'with soft hyphens': (name) => spelled(name, '\u00ad'),
  'in full width': (name) => shifted(name.toLowerCase(), 0xff41),
  'in mathematical letters': (name) => shifted(name.toLowerCase(), 0x1d41a),
  'in circled letters': (name) => shifted(name.toLowerCase(), 0x24d0),
  'with some Cyrillic letters': (name) => replaced(name, { a: 'а', e: 'е', i: 'і', o: 'о' }),
  'with strokes through its letters': (name) => Array.from(name, (letter) => `${letter}\u0336`).join(''),
  'with digits for letters': (name) => replaced(name, { a: '4', e: '3', i: '1', o: '0' }),
  'with other accents': (name) => replaced(name, { a: 'á', e: 'è', i: 'ï', o: 'õ' }),
  'in the plural': (name) => `${name}s`,
}

/** Of names that the disguises do not change, and of patterns. */
const others: Readonly<Record<string, readonly string[]>> = {
  'in scripts without spaces': [
    '我们的天马计划下个月开始',
    '天马计划很秘密',
    'โครงการรุ่งอรุณเริ่มเดือนหน้า',
    'บอกเรื่องรุ่งอรุณ',
    '这是天马计划',
  ],
  'in other scripts': [
    'Начата операция восход.',
    'ОПЕРАЦИЯ ВОСХОД завтра',
    '비밀정원을 열었다',
    '“비밀정원”',
    'Операция  Восход?',
  ],
  'with signs of their own': ['Call AT&K now', 'written in C--', 'at&k.', '(C--)', 'STRASSENBAU'],
  'by patterns': ['see APX-1234', 'apx-9999!', 'http://db1.corp.example/x', 'APX-0000, done', 'mail-2.CORP.example'],
}

const sentences = [
  'We talk about it: NAME. Nobody else may know.',
  'Is NAME ready for the next step?',
  'NAME',
  'I heard of NAME, and of more.',
  'The plan (NAME) will change everything in May.',
]

const bad = (): Row[] => [
  ...Object.entries(disguises).flatMap(([kind, write]) =>
    sentences.map((sentence, at) => ({
      request: { text: sentence.replace('NAME', write(names[(at + kind.length) % names.length] ?? '')), options },
      bad: true,
      kind,
      heldOut: alternately(at),
    })),
  ),
  ...Object.entries(others).flatMap(([kind, texts]) =>
    texts.map((text, at) => ({ request: { text, options }, bad: true, kind, heldOut: alternately(at) })),
  ),
]

/** What is nearly a word of the lists. */
const near = [
  'umbrellas',
  'the tyrells',
  'Initechnology',
  'a night jar',
  'blue bird projects',
  'Saturn. Ring the bell',
  'project: bluebird',
  'APX-12345',
  'C-',
  'AT and K',
  'corp.example',
  '天马',
  'восход операции',
  '비밀',
  'Vandelayer',
]

const harmless = (): Row[] =>
  near.map((text, at) => ({
    request: { text: `Have you seen ${text}?`, options },
    bad: false,
    kind: 'nearly a word',
    heldOut: alternately(at),
  }))

const ordinary = (): Row[] =>
  ordinaryTexts().map(({ kind, text }, at) => ({
    request: { text, options },
    bad: false,
    kind,
    heldOut: alternately(at),
  }))

export const measured: Measured = { check: words, rows: () => [...bad(), ...harmless(), ...ordinary()] }
