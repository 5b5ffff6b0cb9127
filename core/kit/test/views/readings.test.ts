import { expect } from 'chai'
import fc from 'fast-check'
import { entities } from '../../src/views/escapes/entities.js'
import { readingsAfter, readingsOf, escapedToDepth } from '../../src/views/readings.js'

const textsOf = (text: string) => readingsOf(text).map((reading) => reading.text)

describe('the readings of a text', () => {
  const cases: { name: string; text: string; readings: string[] }[] = [
    { name: 'without escapes are one', text: 'a/b "c"', readings: ['a/b "c"'] },
    { name: 'do not take every backslash for an escape', text: 'C:\\dir\\x', readings: ['C:\\dir\\x'] },
    {
      name: 'undo entities',
      text: 'a&#64;b&commat;c&#x2e;d &copy;',
      readings: ['a&#64;b&commat;c&#x2e;d &copy;', 'a@b@c.d &copy;'],
    },
    ...['shy', 'ZeroWidthSpace', 'zwnj', 'zwj', 'lrm', 'rlm', 'NoBreak', 'NegativeVeryThinSpace', 'af', 'ic', 'it'].map(
      (name) => ({
        name: `undo ${name}, which shows nothing`,
        text: `a&${name};b`,
        readings: [`a&${name};b`, `a${entities.get(name)}b`],
      }),
    ),
    { name: 'undo blanks', text: 'a&emsp13;b&Tab;c', readings: ['a&emsp13;b&Tab;c', 'a\u2004b\tc'] },
    { name: 'know no names of anything else', text: 'a&constructor;b', readings: ['a&constructor;b'] },
    {
      name: 'undo escapes of characters of two and three bytes',
      text: 'a%C2%ADb%e2%80%8bc%E5%BF%BD %C2a %E2%80 %C0%AF',
      readings: ['a%C2%ADb%e2%80%8bc%E5%BF%BD %C2a %E2%80 %C0%AF', 'a\u00adb\u200bc忽 %C2a %E2%80 %C0%AF'],
    },
    { name: 'undo escapes of addresses', text: 'a%40b 100%', readings: ['a%40b 100%', 'a@b 100%'] },
    { name: 'undo what is escaped twice', text: 'a%2540b', readings: ['a%2540b', 'a%40b', 'a@b'] },
    { name: 'undo entities for what nobody sees', text: 'a&shy;b', readings: ['a&shy;b', 'a\u00adb'] },
    { name: 'undo escapes of programs', text: '\\x61\\u{62}', readings: ['\\x61\\u{62}', 'ab'] },
    { name: 'undo those of Markdown', text: 'a\\@b\\.c', readings: ['a\\@b\\.c', 'a@b.c'] },
    {
      name: 'show what is written in tags',
      text: 'x \u{e0061}\u{e0062}!',
      readings: ['x \u{e0061}\u{e0062}!', 'x ab!'],
    },
    { name: 'undo entities as browsers do', text: '&#0000109&#x61.&#99', readings: ['&#0000109&#x61.&#99', 'ma.c'] },
    ...[`a&#${'0'.repeat(40)}64;b`, `a<!-- ${'x'.repeat(900)} -->@b`, `a<span id="${'x'.repeat(900)}">@</span>b`].map(
      (text) => ({
        name: `undo what is made long: ${text.slice(0, 12)}`,
        text,
        readings: [text, text.includes('<') ? (text.endsWith('>b') ? 'a\u200b@\u200bb' : 'a\u200b@b') : 'a@b'],
      }),
    ),
    {
      name: 'join lines that mail has broken',
      text: 'jane.mil=\r\nler x= \n\n=\nb',
      readings: ['jane.mil=\r\nler x= \n\n=\nb', 'jane.mil\u200bler x= \n\n=\nb'],
    },
    {
      name: 'join lines that mail may have broken before an escape, and leave them',
      text: 'jane=\n%40x',
      readings: ['jane=\n%40x', 'jane\u200b@x', 'jane=\n@x'],
    },
    {
      name: 'join lines around codes of mail',
      text: 'jane=\n=40x jane=40=\nx',
      readings: ['jane=\n=40x jane=40=\nx', 'jane\u200b@x jane@\u200bx'],
    },
    { name: 'undo octal escapes', text: '\\155\\141 \\9', readings: ['\\155\\141 \\9', 'ma \\9'] },
    { name: 'undo those of mail', text: '=6D=61 a=40b', readings: ['=6D=61 a=40b', 'ma a@b'] },
    {
      name: 'undo the signs of an address in mail',
      text: '=?utf-8?Q?a=2Eb=40c=2dd=2Ecom?= =6d=61',
      readings: ['=?utf-8?Q?a=2Eb=40c=2dd=2Ecom?= =6d=61', '=?utf-8?Q?a.b@c-d.com?= ma'],
    },
    {
      name: 'take no value for one of mail',
      text: 'a=40&b=41, c=6D, d=2E e=2e.5 (x=2d)',
      readings: ['a=40&b=41, c=6D, d=2E e=2e.5 (x=2d)'],
    },
    {
      name: 'leave out elements and comments in words',
      text: '<b>m</b><i>a</i><!-- x -->b <b>c</b> <td>1</td><td>2</td>',
      readings: [
        '<b>m</b><i>a</i><!-- x -->b <b>c</b> <td>1</td><td>2</td>',
        '<b>m\u200ba\u200bb <b>c</b> <td>1</td><td>2</td>',
      ],
    },
    ...['<B></B>', '<FONT SIZE=2>', '<wbr/>', '<b\n>', '<b\tclass=x title="a > b">', "<b title=it's>"].map((tag) => ({
      name: `leave out ${JSON.stringify(tag)} in words`,
      text: `a${tag}b <Td>1</Td>`,
      readings: [`a${tag}b <Td>1</Td>`, 'a\u200bb <Td>1</Td>'],
    })),
    ...['a > b', 'a --- > b', '-', '<b>', '<!x'].map((comment) => ({
      name: `leave out a comment of ${comment} in words`,
      text: `a<!--${comment}-->b--> <!--x-->`,
      readings: [`a<!--${comment}-->b--> <!--x-->`, 'a\u200bb--> <!--x-->'],
    })),
    {
      name: 'leave out emphasis in words',
      text: '**m****a**** **b**',
      readings: ['**m****a**** **b**', '**m\u200ba\u200b **b**'],
    },
    { name: 'take no ruler for emphasis', text: 'a\n****\n*****b', readings: ['a\n****\n*****b'] },
    { name: 'join letters of a list', text: '["m","a", "b"]', readings: ['["m","a", "b"]', '["m\u200ba\u200bb"]'] },
    { name: 'join no words of a list', text: '["me","a"] 2**4', readings: ['["me","a"] 2**4'] },
    { name: 'undo escapes of letters', text: '"\\u0069\\u006Eg"', readings: ['"\\u0069\\u006Eg"', '"ing"'] },
    { name: 'undo them outside JSON', text: '```json\\n{,}', readings: ['```json\\n{,}', '```json\n{,}'] },
    ...[
      ['hexadecimal bytes', '7a6562756c6f6e40', 'zebulon@'],
      ['bytes with signs between them', '7A 65 62 75 6c 6f 6e 40', 'zebulon@'],
      ['bytes with prefixes', '0x7a, 0x65, 0x62, 0x75, 0x6c, 0x6f, 0x6e, 0x40', 'zebulon@'],
      ['bytes between others', 'ff7a6562756c6f6e4000ff', 'ff\nzebulon@\nff'.slice(2)],
      ['escapes in bytes', '7a6562756c6f6e253430', 'zebulon@'],
      ['UTF-7', 'a+AEA-b +AGEAQA-', 'a@b a@'],
      ['escapes of JavaScript', 'a%u0040b', 'a@b'],
      ['names of characters in any case', 'a\\N{commercial at}b\\N{Full stop}c \\N{snowman}', 'a@b.c \\N{snowman}'],
      [
        'names of characters',
        'a\\N{COMMERCIAL AT}\\N{U+62}\\N{LATIN SMALL LETTER C} \\N{SNOWMAN}',
        'a@bc \\N{SNOWMAN}',
      ],
      ['long escapes of programs', '\\U00000040\\x{40}\\u{000040}', '@@@'],
      ['entities beyond the first plane', '&#x1d7d2;&#120785;&#x00001d433', '𝟒𝟑𝐳'],
      ['escapes of characters of four bytes', '%F0%9D%9F%92%f0%9d%90%b3', '𝟒𝐳'],
      ['escapes of programs beyond the first plane', '\\u{1d7d2}\\x{1D7D3}\\N{U+1d7d2}\\U0001d433', '𝟒𝟓𝟒𝐳'],
      ['escapes of CSS', '\\40 a\\000040b\\0040 c', '@a@b@c'],
      [
        'colours of terminals',
        'a\u001b[1;31mb\u001b[mc\\033[0md\\e[0me\\x1B[0mf',
        'a\u200bb\u200bc\u200bd\u200be\u200bf',
      ],
      ['marks of highlights', 'a==b==@c==d==.org 12==34==56', 'a\u200bb\u200b@c\u200bd\u200b.org 12\u200b34\u200b56'],
      ['code beside code', '`a``b@c``d.org` `12``34`', '`a\u200bb@c\u200bd.org` `12\u200b34`'],
      ['doubled emphasis in addresses', 'a**b@c**d**.org', 'a\u200bb@c\u200bd\u200b.org'],
      ['emphasis in addresses', 'a.*b*@c_d_.org', 'a.\u200bb\u200b@c\u200bd\u200b.org'],
      [
        'dashes behind dots of spelled addresses',
        'a-b-@-c-.-d-.-o-r-g a–b@c–d.–o–r–g',
        'a-b-@-c-.\u200bd-.\u200bo-r-g a–b@c–d.\u200bo–r–g',
      ],
      ['emphasis in numbers', '+1 *415* 5`55`', '+1 \u200b415\u200b 5\u200b55\u200b'],
    ].map(([name, text = '', reading = '']) => ({ name: `undo ${name}`, text, readings: [text, reading] })),
    {
      name: 'undo what is of C or of CSS in both ways',
      text: 'a\\056x',
      readings: ['a\\056x', 'a.x', 'aVx'],
    },
    {
      name: 'undo octal escapes of two digits, which CSS reads in another way',
      text: 'a\\56x \\641',
      readings: ['a\\56x \\641', 'a.x 41', 'aVx \\641'],
    },
    ...[
      'sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709',
      '7a 65 62 75 6c 6f 6e',
      '2**4 a*b*c _d_e **bold** text `x`',
      'a_b_c@d.org *args',
      'a@b-.-c.org -a-.-b-',
      'a+ABC-b x+AEA1 C++AEB',
      'C:\\9\\x',
      '&#1114112; &#x110000; \\u{110000} %F4%90%80%80 %F0%80%80%AF',
      '2 * 3 * 4',
      'a==1 b == 2 3==4 x=="a@b.org" ``a``s ```1 \u001b[2J',
    ].map((text) => ({ name: `leave ${text} as it is`, text, readings: [text] })),
    {
      name: 'undo layer after layer',
      text: '\\\\\\"\\\\u0069',
      readings: ['\\\\\\"\\\\u0069', '\\"\\u0069', '"i', '"\\u0069'],
    },
  ]
  for (const { name, text, readings } of cases)
    it(name, () => {
      expect(textsOf(text)).to.deep.equal(readings)
    })

  it('hold what was written, at any depth that JSON is nested', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(4), (text, depth) => {
        expect(textsOf(escapedToDepth(depth, text))).to.include(text)
      }),
    )
  })

  it('are bounded, however deep a text is nested', () => {
    expect(readingsOf('\\'.repeat(100_000)).length).to.be.at.most(9)
  })

  it('are refused where there are more escapes than can be undone', () => {
    expect(() => readingsOf('\\"'.repeat(2 ** 17 + 1))).to.throw('safeguard unavailable: a text has more than')
  })

  it('take much of what parts letters unseen', () => {
    expect(readingsOf('<b>x</b>y'.repeat(70_000))).to.have.length(2)
    expect(() => readingsOf('<b>x</b>y'.repeat(300_000))).to.throw('safeguard unavailable')
  })

  for (const [text, part, source] of [
    ['x 7a6562756c6f6e406f72 y', 'zebulon', '7a6562756c6f6e'],
    ['x 7a 65 62 75 6c 6f 6e 40 y', 'lon', ' 6c 6f 6e'],
    ['+AHoAZQBiAHUAbABvAG4AQA-', 'zebulon@', '+AHoAZQBiAHUAbABvAG4AQA-'],
    ['a\\40 b', 'a@b', 'a\\40 b'],
    ['x&#x1d7d2;&#120785;y', '𝟒', '&#x1d7d2;'],
    ['a@**b**c', 'a@\u200bb\u200bc', 'a@**b**c'],
  ] as const)
    it(`know what ${JSON.stringify(part)} was written as: ${text}`, () => {
      const reading = readingsOf(text)[1]!
      const start = reading.text.indexOf(part)
      const span = reading.sourceOf({ start, end: start + part.length })
      expect(text.slice(span.start, span.end)).to.equal(source)
    })

  it('are found in time that grows with the length, whatever hides', () => {
    for (const part of [
      '@*',
      '*a',
      '1*',
      '**1',
      '+A',
      '+AEA',
      '7a ',
      '7a',
      '7',
      '0x',
      '\\N{A',
      '%u',
      '\\00',
      '_a_@',
      '<b>1 ',
      'a<b "',
      '1==2',
      '1`',
      '\u001b[1;',
      'a<b ">',
      "a<b '>' ",
      'a<!--',
      'a<!-- -- > <b ',
      '"a",',
    ]) {
      const time = (length: number) => {
        const text = part.repeat(length / part.length)
        const before = process.cpuUsage()
        try {
          readingsOf(text)
        } catch {
          // Refused for its many escapes.
        }
        const { user, system } = process.cpuUsage(before)
        return user + system
      }
      time(2 ** 14)
      const quarter = Math.max(10_000, Math.min(time(2 ** 16), time(2 ** 16), time(2 ** 16)))
      expect(Math.min(time(2 ** 18), time(2 ** 18), time(2 ** 18)), part).to.be.at.most(12 * quarter)
    }
  }).timeout(60_000)

  it('know what each span was written as', () => {
    const piece = fc.constantFrom('a', 'é', '\\n', '\\"', '\\u0041', '\\\\', '\\\\u0041', '\\')
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (written, from, length) => {
        const reading = readingsOf(written).find(({ depth }) => depth === 1)
        if (!reading) return
        const start = from % (reading.text.length + 1)
        const end = Math.min(reading.text.length, start + (length % 5))
        const source = reading.sourceOf({ start, end })
        const readings = readingsOf(written.slice(source.start, source.end))
        expect((readings.find(({ depth }) => depth === 1) ?? readings[0])?.text).to.equal(
          reading.text.slice(start, end),
        )
      }),
    )
  })
})

describe('the readings of a text behind another', () => {
  it('read both in the same way, with spans of the text alone', () => {
    const readings = readingsAfter('it\\n', '\\u0061\\nJane')
    expect(readings.map(({ before, text }) => [before, text])).to.deep.equal([
      ['it\\n', '\\u0061\\nJane'],
      ['it\n', 'a\nJane'],
    ])
    expect(readings[1]!.sourceOf({ start: 0, end: 2 })).to.deep.equal({ start: 0, end: 8 })
  })

  it('tell a text without escapes twice where those before it can be undone', () => {
    const readings = readingsAfter('\\n', 'Jane')
    expect(readings.map(({ before, text }) => [before, text])).to.deep.equal([
      ['\\n', 'Jane'],
      ['\n', 'Jane'],
    ])
  })

  it('are those of the text where nothing stands before it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const told = ({ depth, text: read }: { depth: number; text: string }) => [depth, read]
        expect(readingsAfter('', text).map(told)).to.deep.equal(readingsOf(text).map(told))
      }),
    )
  })
})
