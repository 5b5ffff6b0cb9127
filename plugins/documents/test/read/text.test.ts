import { expect } from 'chai'
import { markdownOf, treeOf, written } from '../support/read.js'

const kinds: Readonly<Record<string, readonly [content: string | Uint8Array, markdown: string]>> = {
  'plain text, whose signs stay what they are': [
    'a * b * c\n\n1986. A year\n# not a heading in the middle of text\n',
    'a * b * c\n\n1986\\. A year\n\\# not a heading in the middle of text\n',
  ],
  'text in UTF-16': [Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße', 'utf16le')]), 'Grüße\n'],
  'text in UTF-16 without its mark': [Buffer.from('Grüße an alle', 'utf16le'), 'Grüße an alle\n'],
  'text in Latin-1': [
    Buffer.from('Die Übung über die Größe der Füße war schön, fand er.', 'latin1'),
    'Die Übung über die Größe der Füße war schön, fand er.\n',
  ],
  'a layout of spaces': ['Name      Age\nAnn        31\n', '```\nName      Age\nAnn        31\n```\n'],
  markdown: [
    '# One\n\n- a\n  - b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```js\nf()\n```\n\nsee[^n] [there](https://e.org)\n\n[^n]: the note\n',
    '# One\n\n- a\n  - b\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\n```js\nf()\n```\n\nsee[^1] [there](https://e.org)\n\n[^1]: the note\n',
  ],
  csv: ['a,b\n"x, y",2\n', '| a | b |\n| --- | --- |\n| x, y | 2 |\n'],
  'csv with semicolons': [
    'a;b;c\n1;2;3\n4;5;6\n',
    '| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n',
  ],
  json: ['{"a": [1, 2]}', '```json\n{"a": [1, 2]}\n```\n'],
  'json that is cut off, as text': ['{"a": [1, 2', '{"a": [1, 2\n'],
  xml: ['<?xml version="1.0"?><a><b>one</b><c x="no">two <i>three</i></c></a>', 'one\n\ntwo three\n'],
  vtt: [
    'WEBVTT - A talk\n\n1\n00:01.000 --> 00:02.000 align:start\n<v Ann>Hello &amp; <b>welcome</b>\n\nNOTE nothing\n\n00:03.000 --> 00:04.000\nBye\n',
    'Ann: Hello & welcome\n\nBye\n',
  ],
  html: [
    '<!doctype html><title>T</title><style>p{}</style><h1>One</h1><p>a <b>bold</b>\n word<br>next<br> <br>later<script>x()</script><ul><li>i<ul><li>j</ul></ul><p hidden>secret</p><blockquote>q</blockquote>',
    '# One\n\na **bold**\nword  \nnext\n\nlater\n\n- i\n  - j\n\n> q\n',
  ],
  'html with a quotation of nothing': ['<html><blockquote></blockquote><p>said</p>', '> \n\nsaid\n'],
  'html that begins with text': ['Hello <b>x</b>', 'Hello **x**\n'],
  'html that begins with a mark of its encoding and text': ['\ufeffHello <b>x</b>\n', 'Hello **x**\n'],
  'html that begins with a comment and text': ['<!-- by hand -->\nHello <i>x</i> &amp; y', 'Hello *x* & y\n'],
  'html that begins with text, and is declared later': [
    'Hello\n<!doctype html><html><body><p>one<p>two <a href="https://e.org/">three</a></body></html>',
    'Hello\n\none\n\ntwo [three](https://e.org/)\n',
  ],
  'text about tags': ['Write <b> for what is bold.\n', 'Write \\<b> for what is bold.\n'],
  'text with tags of another kind': ['Dear <name>you</name>, hello\n', 'Dear \\<name>you\\</name>, hello\n'],
  'a program that writes tags': [
    'const a = () => {\n  return "<b>x</b>";\n}\n',
    'const a = () => {\nreturn "\\<b>x\\</b>";\n}\n',
  ],
  'tables of html': [
    '<html><table><tr><th>a<th>b<tr><td>1<td>2</table><table><tr><td colspan=2>w<td rowspan=2>h<tr><td>x<td>y</table>',
    '| a | b |\n| --- | --- |\n| 1 | 2 |\n\n<table>\n<tr><td colspan="2">w</td><td rowspan="2">h</td></tr>\n<tr><td>x</td><td>y</td></tr>\n</table>\n',
  ],
  'a mail': [
    'From: Ann <ann@example.org>\r\nTo: bob@example.org\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Hello <b>Bob</b></p>',
    '# Grüße\n\n**From:** Ann \\<ann@example.org>  \n**To:** bob@example.org\n\nHello **Bob**\n',
  ],
  rtf: [
    "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\stylesheet{\\s1 heading 1;}}{\\info{\\title Told}}\\pard\\s1 Head\\par\\pard Caf\\'e9 \\u8364? {\\b bold}\\par{\\*\\unknown no}\\trowd\\cellx1\\cellx2\\intbl a\\cell b\\cell\\row\\pard end\\par}",
    '# Head\n\nCafé € **bold**\n\n| a | b |\n| --- | --- |\n\nend\n',
  ],
}

describe('the content of a file tells', () => {
  for (const [name, [content, markdown]] of Object.entries(kinds))
    it(name, async () => {
      expect(await markdownOf(content)).to.equal(markdown)
    })

  for (const [name, content, title] of [
    ['markdown', '---\ntitle: "Front"\n---\n\n# One\n', 'Front'],
    ['html', '<html><title>A &amp; B</title><p>x', 'A & B'],
    ['vtt', 'WEBVTT - A talk\n\n00:01.000 --> 00:02.000\nx\n', 'A talk'],
    ['rtf', '{\\rtf1{\\info{\\title Told}}x\\par}', 'Told'],
    ['plain text', 'x\n', undefined],
  ] as const)
    it(`the title of ${name}`, async () => {
      expect((await treeOf(content)).title).to.equal(title)
    })

  it('which images are kept: addresses, and data where it is asked for', async () => {
    const html = '<html><img alt="a" src="https://e.org/a.png"><img alt="b" src="data:image/png;base64,AAAA">'
    expect(await markdownOf(html)).to.equal('![a](https://e.org/a.png)![b]()\n')
    expect(await markdownOf(html, { embedImages: true })).to.include('![b](data:image/png;base64,AAAA)')
  })

  it('notes of html, which are not left where they stand', async () => {
    const html =
      '<html><p>x<sup><a id="r1" href="#n1">1</a></sup></p><ol><li id="n1">the note <a href="#r1">↑</a></li></ol><p>y</p>'
    expect(written(await treeOf(html), 'markdown')).to.equal('x[^1]\n\ny\n\n[^1]: the note\n')
  })
})
