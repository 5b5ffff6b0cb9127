import type { Mark } from '../../model/blocks.js'

/** The purpose of a group's content (RTF's "destination"); `shape`: names and values that describe one. */
type Destination = 'text' | 'skip' | 'title' | 'styles' | 'style' | 'listtext' | 'instruction' | 'image' | 'shape'

/** The state of a group. */
export interface State {
  readonly destination: Destination
  readonly marks: readonly Mark[]
  readonly hidden: boolean
  readonly codePage: string
  /** Bytes to skip after a Unicode character, which repeat it in the code page. */
  readonly unicodeSkip: number
}

/** Words that begin a group to skip. */
export const skippedDestinations = new Set(
  (
    'colortbl fonttbl picprop blipuid objdata filetbl revtbl listtable ' +
    'listoverridetable generator themedata datastore xmlnstbl latentstyles rsidtbl mmathPr bkmkstart bkmkend nonshppict ' +
    'template private1 ftnsep ftnsepc aftnsep aftnsepc annotation atnid atnauthor atrfstart atrfend pntext pntxta pntxtb ' +
    'author operator company subject keywords comment doccomm category manager'
  ).split(' '),
)

/** Words that begin a group with another destination. */
export const destinations: Readonly<Record<string, Destination>> = {
  stylesheet: 'styles',
  title: 'title',
  listtext: 'listtext',
  fldinst: 'instruction',
  pict: 'image',
  sp: 'shape',
}

/** Words that begin an optional group (marked with `\*`) whose text belongs to the document. */
export const textDestinations = new Set(['shppict', 'shpinst', 'fldrslt', 'shptxt', 'shprslt'])

/** Words that begin a header, a footer or a note. */
export const asideKinds: Readonly<Record<string, 'header' | 'footer' | 'note'>> = {
  ...{ header: 'header', headerl: 'header', headerr: 'header', headerf: 'header' },
  ...{ footer: 'footer', footerl: 'footer', footerr: 'footer', footerf: 'footer' },
  footnote: 'note',
}

/** Words that mean a character. */
export const symbols: Readonly<Record<string, string>> = {
  ...{ tab: '\t', emdash: '—', endash: '–', bullet: '•' },
  ...{ lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”' },
  ...{ emspace: ' ', enspace: ' ', qmspace: ' ' },
}

/** Code pages whose encodings have other labels than `windows-` and their numbers. */
const encodings: Readonly<Record<number, string>> = {
  ...{ 932: 'shift_jis', 936: 'gbk', 949: 'euc-kr', 950: 'big5' },
  ...{ 10000: 'macintosh', 65001: 'utf-8' },
}

/** The encoding of a Windows code page. */
export const codePageOf = (page: number): string => {
  try {
    return new TextDecoder(encodings[page] ?? `windows-${page}`).encoding
  } catch {
    return 'windows-1252'
  }
}

/** Levels of headings by the numbers of styles. */
export class StyleSheet {
  /** The name of the style that is being read. */
  name = ''
  private number = 0
  private readonly levels = new Map<number, number>()

  begin(number: number): void {
    this.end()
    this.number = number
    this.name = ''
  }

  end(): void {
    const level = /\bheading (\d)/i.exec(this.name)?.[1]
    if (level) this.setLevel(Number(level))
    else if (/^\s*title\s*;?\s*$/i.test(this.name)) this.setLevel(1)
  }

  setLevel(level: number): void {
    this.levels.set(this.number, level)
  }

  levelOf(number: number): number | undefined {
    return this.levels.get(number)
  }
}
