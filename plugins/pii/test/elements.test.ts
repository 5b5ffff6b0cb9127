import { expect } from 'chai'
import { exampleOf } from '../src/custom/examples.js'
import { callOf, described, usualDetector } from './support.js'

const digits = Array.from('4012888888881881')
const cells = (some: readonly string[]) => `<td>${some.join('</td><td>')}</td>`

/** What is found stands between brackets, or ends where the text does. */
const found: Readonly<Record<string, readonly string[]>> = {
  US_SSN: ['<b>[078</b>-<b>05</b>-<b>1120]</b>', '<td>SSN</td><td>[078</td><td>05</td><td>1120]</td>'],
  IBAN_CODE: [
    '<td>[DE89</td><td>3704</td><td>0044</td><td>0532</td><td>0130</td><td>00]</td>',
    '[DE89<wbr>3704<wbr>0044<wbr>0532<wbr>0130<wbr>00].',
    `IBAN [${['DE89', '37<b>04</b>', '0044', '0532', '0130', '00'].join(' '.repeat(20))}]`,
  ],
  CREDIT_CARD: [
    '<td>[4111</td><td>1111</td><td>1111</td><td>1111]</td>',
    '<tr>\n  <td class="n">[4111</td>\n  <td class="n">1111</td>\n  <td class="n">1111</td>\n  <td>1111]</td>',
    '<b>[3782</b> 822463 <i>10005]</i>',
    `<td>[${digits.join('</td><td>')}]</td>`,
    `<span>[${digits.join('</span><span>')}]</span>`,
    `card <b>[4111</b>${' '.repeat(20)}<b>1111</b>${' '.repeat(20)}<b>1111</b>${' '.repeat(20)}<b>1111]</b>`,
    '<li>[4111</li>\n<li>1111</li>\n<li>1111</li>\n<li>1111]</li>',
    '<B CLASS="card-number of-four">[4111</B><I>1111</I><B>1111</B><!-- end --><I>1111]</I>',
  ],
  EMAIL_ADDRESS: [
    '<b>[jane</b>.<b>miller</b>@<b>acme</b>.com].',
    '[jane.miller<wbr>@<wbr>acme.com]<br>',
    '[jane.miller<!-- nospam -->@acme.com] now',
    '<td>[jane.miller</td><td>@acme.com]</td>',
    '<p>In 2024, see page 12.</p> [jane.<b>miller</b> (at) ac<i>me</i> (dot) com]',
    'mail [jane.<b>miller</b> (at) ac<i>me</i>.com]',
  ],
}

const nothing = [
  '<td>078</td><td>05</td><td>1120</td>',
  '<td>DE89</td><td>3704</td><td>0044</td><td>0532</td><td>0130</td><td>000</td>',
  '<td>4111</td><td>1111</td><td>1111</td><td>1112</td>',
  '<td>4111</td><td>1111</td><td>1111</td><td>1111</td><td>2222</td>',
  '<td>2222</td><td>4111</td><td>1111</td><td>1111</td><td>1111</td>',
  cells(['7', ...digits]),
  'Olivia<br>@<b>angular</b>/core',
  '<b>x</b>@<i>y</i>',
  'if a<b and c>d, then jane<x>@acme',
]

describe('what is written over elements of HTML', () => {
  for (const [type, texts] of Object.entries(found))
    for (const example of texts) {
      const { text, expected } = exampleOf(example)

      it(`is found: ${text}`, async () => {
        expect(await described(text)).to.include(`${type} ${expected}`)
      })

      it(`is held together in a stream: ${text}`, async () => {
        const start = text.indexOf(expected ?? '')
        for (let length = start + 2; length < start + (expected?.length ?? 0); length += 1) {
          const { spans } = await usualDetector.openSpans({ text: text.slice(0, length) }, callOf())
          for (let at = start + 1; at < length; at += 1)
            expect(
              spans.some((span) => span.start < at && at < span.end),
              `${at} of ${text.slice(0, length)}`,
            ).to.equal(true)
        }
      })
    }

  for (const text of nothing)
    it(`is nothing in ${text}`, async () => {
      expect((await described(text)).filter((one) => (one.split(' ', 1)[0] ?? '') in found)).to.deep.equal([])
    })

  it('is no table of numbers', async () => {
    const rows = Array.from({ length: 300 }, (_, row) =>
      Array.from({ length: 6 }, (_, column) => String(1000 + ((row * 7919 + column * 104729) % 9000))),
    )
    for (const names of [['td'], ['th', 'td'], ['span'], ['b', 'i']]) {
      const cell = (number: string, at: number) =>
        `<${names[at % names.length]}>${number}</${names[at % names.length]}>`
      for (const between of ['', ' ', '\n  ']) {
        const text = rows.map((row) => `<tr>${row.map(cell).join(between)}</tr>`).join('\n')
        expect(await described(text), `${names.join()} ${JSON.stringify(between)}`).to.deep.equal([])
      }
    }
  })
})
