import { parse } from 'parse5'
import { expect } from 'chai'
import fc from 'fast-check'
import { ElementBudget } from '../../src/element-budget.js'
import type { Block } from '../../src/model/blocks.js'
import { text, normaliseSpace } from '../../src/model/inlines.js'
import { htmlBlocks } from '../../src/read/html/index.js'
import { textOf } from '../../src/read/html/nodes.js'
import { markdownTree } from '../../src/read/markdown.js'
import { countWords } from '../../src/write/words.js'
import { written } from '../support/read.js'
import { blocks } from '../support/trees.js'

const options = { elements: new ElementBudget(Infinity), embedImages: true }
const flat = (one: string) => one.replace(/\s+/g, '')
const plain = (all: readonly Block[]) => flat(written({ blocks: all }, 'text').replaceAll(/^\s*(?:-|\d+\.) /gm, ''))
const shape = (all: readonly Block[]): string =>
  all
    .map((block) =>
      block.type === 'list'
        ? `list(${block.items.map(shape).join(';')})`
        : block.type === 'quote'
          ? `quote(${shape(block.content)})`
          : block.type,
    )
    .join(',')

describe('what is written', () => {
  it('as markdown is read as the same text in the same blocks', () => {
    fc.assert(
      fc.property(blocks, (all) => {
        const again = markdownTree(written({ blocks: all }, 'markdown'), options).blocks
        expect(plain(again)).to.equal(plain(all))
        expect(shape(again)).to.equal(shape(all))
      }),
      { numRuns: 150 },
    )
  })

  for (const said of [
    ...['[x](y)', '![x](y)', '[a]: b', '[^1]', '[^1]: x', '[ ] task', 'a [1] b', '<b>x</b>', '&amp;'],
    ...[
      '***',
      '___',
      '- - -',
      '# x',
      '1. x',
      '1) x',
      '> x',
      '| a |',
      '~~x~~',
      '`x`',
      'a_b_c',
      '_a_',
      '*a*',
      '- x',
      '+ x',
    ],
    ...['* x', '===', 'a\n===', 'a\n---', '```', '~~~', '\\*', 'x\n# y', 'x\n1. y', '[a\nb]: c'],
  ])
    it(`as markdown is read as text that looks like mark-up: ${JSON.stringify(said)}`, () => {
      const all: Block[] = [{ type: 'paragraph', content: [text(said)] }]
      expect(markdownTree(written({ blocks: all }, 'markdown'), options).blocks).to.deep.equal(all)
    })

  it('as html is read as the same text in the same blocks', () => {
    fc.assert(
      fc.property(blocks, (all) => {
        const again = htmlBlocks(written({ blocks: all }, 'html'), options)
        expect(plain(again)).to.equal(plain(all))
      }),
      { numRuns: 200 },
    )
  })

  it('as json is JSON with a block for each', () => {
    fc.assert(
      fc.property(blocks, (all) => {
        const parsed = JSON.parse(written({ title: 'T', blocks: all }, 'json')) as {
          title: string
          blocks: { type: string }[]
        }
        expect(parsed.blocks.map(({ type }) => type)).to.deep.equal(all.map(({ type }) => type))
      }),
    )
  })

  it('as html has no mark-up of the document’s own', () => {
    const said = '<script>alert(1)</script>" onload="x'
    const html = written(
      {
        title: said,
        blocks: [{ type: 'paragraph', content: [text(said), { type: 'link', url: said, content: [text('x')] }] }],
      },
      'html',
    )
    expect(html).not.to.include('<script')
    expect(textOf(parse(html))).to.include(said)
    expect(html).to.include('href="&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;x"')
  })
})

describe('addresses', () => {
  for (const [url, kept] of [
    ['https://example.org/', true],
    ['mailto:ann@example.org', true],
    ['#part', true],
    ['javascript:alert(1)', false],
    [' java\nscript:alert(1)', false],
    ['VBScript:x', false],
    ['data:text/html,<script>', false],
    ['file:///etc/passwd', false],
  ] as const)
    it(`of links are ${kept ? 'kept' : 'left out'}: ${JSON.stringify(url)}`, () => {
      const content = normaliseSpace([{ type: 'link', url, content: [text('x')] }])
      expect(content).to.deep.equal(kept ? [{ type: 'link', url, content: [text('x')] }] : [text('x')])
    })

  it('of images may be data, if it is an image', () => {
    const urls = ['data:image/png;base64,AAAA', 'data:text/html;base64,AAAA'].map((url) =>
      normaliseSpace([{ type: 'image', alt: 'x', url }]),
    )
    expect(urls).to.deep.equal([
      [{ type: 'image', alt: 'x', url: 'data:image/png;base64,AAAA' }],
      [{ type: 'image', alt: 'x' }],
    ])
  })
})

describe('words', () => {
  for (const [content, count] of [
    ['', 0],
    ['one two\nthree', 3],
    ['a — b | c', 3],
    ['naïve 日本語', 2],
    ['我是学生', 2],
    ['1 + 1', 2],
  ] as const)
    it(`of “${content}” are ${count}`, () => {
      expect(countWords(content)).to.equal(count)
    })
})
