/** Sample texts, and temporary files. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Texts that careless code damages, by what is special about them. */
export const unusualTexts: Readonly<Record<string, string>> = {
  'one space': ' ',
  'white space of all kinds': '  two  spaces,\ttab,\u00A0no-break,\u2028line,\u3000ideographic  ',
  'line ends of three systems': 'unix\nwindows\r\nmac\rend\r\n\r\n',
  'NUL and control characters': 'before\u0000after\u0001\u001B[31m\u007F',
  'combining characters': 'e\u0301a\u0308o\u0323\u0302 Z\u0351\u036B\u0343\u036A',
  'composed and decomposed': '\u00E9 and e\u0301, \uAC00 and \u1100\u1161, \uFB01 and fi',
  'emoji families and flags': '👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪🇫🇷 👍🏽 ☺️ 1️⃣',
  'right to left': 'שלום עולם, مرحبا بالعالم \u202Eabc\u202C 123',
  'scripts without spaces': '日本語の文章です。中文没有空格。ภาษาไทย',
  'characters beyond the basic plane': '𝒳𝔘𐍈𠜎🂡',
  'invisible characters': 'a\u200Bb\u200Dc\uFEFFd\u00ADe\u2060f',
  'strings that look like special tokens': '<s></s><|endoftext|><|im_start|>[INST]<unk>[CLS]▁Ġ',
  placeholders: '<PERSON> {{name}} ${HOME} %s \\u0041 &amp;',
}

/** Surrogates without their partners. UTF-8 cannot encode them, so they become U+FFFD or are refused. */
export const loneSurrogates = 'left \uD83D middle \uDC00 right'

/** All unusual texts, the empty one among them. */
export const allTexts: readonly string[] = ['', ...Object.values(unusualTexts), loneSurrogates]

/** Lines of that text, of some 20,000 UTF-16 code units. */
export const longTextOf = (text: string): string => `${text}\n`.repeat(Math.ceil(20_000 / text.length))

let directory: string | undefined
let count = 0

/** Writes a temporary file whose name says nothing of its format. It is removed when the process ends. */
export const sampleFile = (content: Uint8Array | string): string => {
  if (!directory) {
    const created = (directory = mkdtempSync(join(tmpdir(), 'conformance-')))
    process.once('exit', () => rmSync(created, { recursive: true, force: true }))
  }
  const file = join(directory, `sample-${count++}`)
  writeFileSync(file, content)
  return file
}

/** Returns a function that writes a file at its first call. */
export const lazyFile = (content: () => Uint8Array | string): (() => string) => {
  let file: string | undefined
  return () => (file ??= sampleFile(content()))
}
