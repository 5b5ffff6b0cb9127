import { expect } from 'chai'
import { markdownOf } from '../support/read.js'

const image = '89504e470d0a1a0a'
const data = `data:image/png;base64,${Buffer.from(image, 'hex').toString('base64')}`

/** Rows of cells; of each cell the properties, the twips at which it ends, and its text. */
const row = (...cells: (readonly [properties: string, edge: number, text: string])[]) =>
  `\\trowd${cells.map(([properties, edge]) => `${properties}\\cellx${edge}`).join('')}\\intbl ${cells
    .map(([, , text]) => `${text}\\cell`)
    .join(' ')}\\row\\pard `

const documents: Readonly<Record<string, readonly [content: string, markdown: string]>> = {
  notes: ['a{\\footnote\\pard the note\\par} b\\par', 'a[^1] b\n\n[^1]: the note\n'],
  'what runs over and under its pages, once': [
    '{\\header\\pard Letterhead\\par}{\\footerl\\pard 12\\par}one\\par{\\headerr\\pard Letterhead\\par}two\\par',
    'Letterhead\n\none\n\ntwo\n',
  ],
  'the title as a heading': ['{\\stylesheet{\\s9 Title;}}\\pard\\s9 Told\\par\\pard text\\par', '# Told\n\ntext\n'],
  'links, and no more than them': [
    '{\\field{\\*\\fldinst HYPERLINK "https://example.org/a"}{\\fldrslt there}}, he said\\par',
    '[there](https://example.org/a), he said\n',
  ],
  'cells that take several columns, whichever way that is said': [
    row(['', 2000, 'wide'], ['', 3000, 'c']) +
      row(['', 1000, 'a'], ['', 2005, 'b'], ['', 3000, 'c']) +
      row(['\\clmgf', 1000, 'x'], ['\\clmrg', 2000, ''], ['', 3000, 'c']),
    '<table>\n<tr><th colspan="2">wide</th><th>c</th></tr>\n<tr><td>a</td><td>b</td><td>c</td></tr>\n<tr><td colspan="2">x</td><td>c</td></tr>\n</table>\n',
  ],
  'cells that take several rows': [
    row(['\\clvmgf', 1000, 'high'], ['', 2000, 'a']) + row(['\\clvmrg', 1000, ''], ['', 2000, 'b']),
    '<table>\n<tr><th rowspan="2">high</th><th>a</th></tr>\n<tr><td>b</td></tr>\n</table>\n',
  ],
  'text boxes, without what describes them': [
    'a\\par{\\shp{\\*\\shpinst{\\sp{\\sn posrelh}{\\sv 3}}{\\shptxt\\pard boxed\\par}}}b\\par',
    'a\n\nboxed\n\nb\n',
  ],
}

describe('an rtf', () => {
  for (const [name, [content, markdown]] of Object.entries(documents))
    it(`keeps ${name}`, async () => {
      expect(await markdownOf(`{\\rtf1\\ansi ${content}}`)).to.equal(markdown)
    })

  for (const [name, bytes] of [
    [
      'digits',
      `{\\*\\shppict{\\pict{\\*\\picprop{\\sp{\\sn a}{\\sv 1}}}\\pngblip\\picw9 ${image.slice(0, 6)}\r\n${image.slice(6)}}}`,
    ],
    ['bytes', `{\\pict\\pngblip\\bin8 ${Buffer.from(image, 'hex').toString('latin1')}}`],
  ] as const)
    it(`has images of ${name} where they are asked for, and none otherwise`, async () => {
      const content = Buffer.from(`{\\rtf1 a ${bytes}{\\nonshppict{\\pict\\wmetafile8 0102}} b\\par}`, 'latin1')
      expect(await markdownOf(content, { embedImages: true })).to.equal(`a ![](${data}) b\n`)
      expect(await markdownOf(content)).to.equal('a b\n')
    })
})
