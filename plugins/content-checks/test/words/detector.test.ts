import { expect } from 'chai'
import { testCall } from '@sallyport/testing'
import type { ListItem, WordsOptions } from '../../src/words/check.js'
import { WordsDetector } from '../../src/words/detector.js'

const detector = new WordsDetector()

/** What is found, as it stands in the text. */
const found = async (options: WordsOptions, text: string, before?: string) => {
  const request = before === undefined ? { text, options } : { text, before, options }
  const { findings } = await detector.inspect(request, testCall())
  return findings.map(({ start, end }) => text.slice(start, end))
}

describe('words', () => {
  const cases: [name: string, entries: readonly ListItem[], text: string, expected: string[]][] = [
    ['in either case', ['apex'], 'The APEX plan, and Apex.', ['APEX', 'Apex']],
    ['not within a longer word', ['apex'], 'apexes, synapex, apex2, apexß', []],
    ['beside signs and underscores', ['apex'], '"apex", my_apex_plan, #apex, apex’s', ['apex', 'apex', 'apex', 'apex']],
    ['with its own signs', ['C++', '.NET', 'AT&T'], 'c++ and C, .net and net, AT&T', ['c++', '.net', 'AT&T']],
    ['with hyphens of its own at the end of a text', ['C--'], 'It is written in C--', ['C--']],
    [
      'over spaces, hyphens and line ends',
      ['project apex'],
      'Project  Apex, project-apex, project\n  apex',
      ['Project  Apex', 'project-apex', 'project\n  apex'],
    ],
    ['without what parts its words', ['project apex', 'e-mail'], '#ProjectApex by email', ['ProjectApex', 'email']],
    [
      'with emphasis inside',
      ['project apex'],
      'Project **Apex**, *project* apex, ~~pro~~ject `apex`\npro**ject\nap**ex',
      ['Project **Apex', 'project* apex', 'pro~~ject `apex', 'pro**ject\nap**ex'],
    ],
    [
      'with highlights inside',
      ['project apex'],
      'Project ==Apex==, pro==ject== apex, ==the project== apex; project == apex, pro==ject',
      ['Project ==Apex', 'pro==ject== apex', 'project== apex'],
    ],
    [
      'with highlights inside that hold several words',
      ['project apex'],
      'pro==ject ap==ex, pro==**ject ap**==ex',
      ['pro==ject ap==ex', 'pro==**ject ap**==ex'],
    ],
    [
      'with highlights inside over a line end, in one paragraph',
      ['project apex'],
      'pro==ject\nap==ex\n\npro==ject\n \nap==ex',
      ['pro==ject\nap==ex'],
    ],
    [
      'with highlights inside that hold their sign',
      ['project'],
      'pro==ject=1==, pro==ject == 1==\npro==ject == 1',
      ['pro==ject', 'pro==ject'],
    ],
    [
      'with elements inside',
      ['project apex'],
      'Project <b>Apex</b>, pro<i class="x">ject</i> apex, project<td>apex',
      ['Project <b>Apex', 'pro<i class="x">ject</i> apex'],
    ],
    ['not over the end of a sentence', ['project apex'], 'That is the project. Apex is far.', []],
    ['where ß is written as ss', ['Straße'], 'STRASSE', ['STRASSE']],
    ['in Greek with both sigmas', ['ΟΔΟΣ'], 'οδός οδος', ['οδος']],
    ['with the dotted I of Turkish', ['istanbul'], 'İSTANBUL', ['İSTANBUL']],
    ['with accents, however they are written', ['año'], 'an\u0303o, año, ano', ['an\u0303o', 'año']],
    ['with invisible characters in it', ['apex'], 'a\u200bpe\u00adx', ['a\u200bpe\u00adx']],
    ['with marks over its letters', ['apex'], 'a\u0336p\u0336e\u0336x\u0336', ['a\u0336p\u0336e\u0336x\u0336']],
    ['in full width and in mathematical letters', ['apex'], 'ａｐｅｘ 𝐚𝐩𝐞𝐱', ['ａｐｅｘ', '𝐚𝐩𝐞𝐱']],
    ['with some letters of another script', ['apex'], 'аpex', ['аpex']],
    ['with all letters of another script', ['apex', 'team'], 'арех ТЕАМ', ['арех', 'ТЕАМ']],
    [
      'with its letters apart',
      ['project apex'],
      'P r o j e c t A p e x, p-r-o-j-e-c-t-a-p-e-x',
      ['P r o j e c t A p e x', 'p-r-o-j-e-c-t-a-p-e-x'],
    ],
    ['in Chinese between other words', ['小米'], '我喜欢小米手机', ['小米']],
    ['in Japanese not within a longer word', ['アパ', '秘密'], 'アパートは秘密です', ['秘密']],
    ['in Thai', ['ช้างเผือก'], 'โครงการช้างเผือกเป็นความลับ', ['ช้างเผือก']],
    ['in Korean before particles', ['비밀'], '비밀을 말한다, 극비밀', ['비밀']],
    ['of Latin letters beside other scripts', ['apex'], '計画apexは', ['apex']],
    ['with digits for letters', ['apex', 'i5'], '4pex, ap3x, 4p and is', ['4pex', 'ap3x']],
    ['beside emoji, and emoji themselves', ['apex', '🍆'], '🎉apex🎉🍆', ['apex', '🍆']],
    ['with the longest phrase of a start', ['new', 'new york', 'new york times'], 'New York Times', ['New York Times']],
  ]
  for (const [name, entries, text, expected] of cases)
    it(`are found ${name}`, async () => {
      const all = await found({ words: entries }, text)
      expect(all.sort()).to.deep.equal([...expected].sort())
    })

  it('have the names of their lists as types', async () => {
    const options = { words: ['zeta'], lists: { rivals: ['acme', 'zeta'], code: [{ pattern: 'ZX-\\d+' }] } }
    const { findings, score } = await detector.inspect({ text: 'Acme, zeta, zx-12', options }, testCall())
    expect(findings.map(({ type }) => type).sort()).to.deep.equal(['WORD', 'code', 'rivals', 'rivals'])
    expect(score).to.equal(1)
  })

  it('are not looked for where their type is ignored', async () => {
    const options = { lists: { rivals: ['acme'] } }
    const { findings, score } = await detector.inspect({ text: 'acme', ignore: ['rivals'], options }, testCall())
    expect({ findings, score }).to.deep.equal({ findings: [], score: 0 })
  })

  it('are not told of what stands before the text, which may begin in the middle of a word', async () => {
    expect(await found({ words: ['apex'] }, 'apex', 'syn')).to.deep.equal([])
    expect(await found({ words: ['apex'] }, ' and', 'apex')).to.deep.equal([])
    expect(await found({ words: ['project apex'] }, ' apex', 'project')).to.deep.equal([' apex'])
  })

  it('fails closed without anything to look for', async () => {
    for (const options of [undefined, {}, { words: [] }, { lists: { a: [] } }]) {
      const error = await detector.inspect({ text: 'x', options }, testCall()).catch((reason: unknown) => reason)
      expect(error).to.have.property('code', 'safeguard_unavailable')
    }
  })
})

describe('patterns', () => {
  const cases: [pattern: string, text: string, expected: string[]][] = [
    [String.raw`\bAPX-\d{4}\b`, 'apx-1234, APX-12345', ['apx-1234']],
    [String.raw`^total: .*$`, 'a\nTotal: 5\nsubtotal: 6', ['Total: 5']],
    [String.raw`a.*?b`, 'a1b2b', ['a1b']],
    [String.raw`(?<year>\d{4})\/\p{Script=Greek}+`, '2026/αβγ', ['2026/αβγ']],
    [String.raw`one\s+two`, 'one two one\ntwo', ['one two']],
    [String.raw`\u{1F346}+`, '🍆🍆', ['🍆🍆']],
    [String.raw`apx`, 'ａp\u200bx', ['ａp\u200bx']],
    [String.raw`x*`, 'no', []],
  ]
  for (const [pattern, text, expected] of cases)
    it(`are searched line by line in either case: ${pattern}`, async () => {
      expect(await found({ words: [{ pattern }] }, text)).to.deep.equal(expected)
    })

  for (const pattern of ['(?=a)b', String.raw`(a)\1`, '(unclosed'])
    it(`fail closed where they cannot be searched: ${pattern}`, async () => {
      const error = await found({ words: [{ pattern }] }, 'text').catch((reason: unknown) => reason)
      expect(error).to.have.property('code', 'safeguard_unavailable')
    })

  it('are found in long texts, too', async () => {
    const text = `${'nothing here\n'.repeat(10_000)}APX-1234`
    expect(await found({ words: [{ pattern: String.raw`APX-\d+` }] }, text)).to.deep.equal(['APX-1234'])
  })
})
