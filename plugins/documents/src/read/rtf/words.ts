import type { Mark } from '../../model/blocks.js'

/** Of a group. */
export interface State {
  /** What a group is for, where that is no text of the document. */
  readonly destination: 'text' | 'skip' | 'title' | 'styles' | 'style' | 'fonts' | 'listtext' | 'instruction'
  readonly marks: readonly Mark[]
  readonly hidden: boolean
  readonly codePage: string
  /** Bytes that stand for a character that was told as Unicode, too. */
  readonly unicodeSkip: number
}

/** Words that begin a group without text of the document. */
export const skipped = new Set(
  (
    'colortbl pict object header headerl headerr headerf footer footerl footerr footerf info filetbl revtbl listtable ' +
    'listoverridetable generator themedata datastore xmlnstbl latentstyles rsidtbl mmathPr bkmkstart bkmkend nonshppict ' +
    'template private1 ftnsep ftnsepc aftnsep aftnsepc annotation atnid atnauthor atrfstart atrfend pntext pntxta pntxtb'
  ).split(' '),
)

/** Words that stand for a character. */
export const symbols: Readonly<Record<string, string>> = {
  tab: '\t',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
}

/** The encoding that Windows numbers so. */
export const codePageOf = (page: number): string => {
  const named: Readonly<Record<number, string>> = {
    932: 'shift_jis',
    936: 'gbk',
    949: 'euc-kr',
    950: 'big5',
    65001: 'utf-8',
    10000: 'macintosh',
    874: 'windows-874',
  }
  const label = named[page] ?? `windows-${page}`
  try {
    return new TextDecoder(label).encoding
  } catch {
    return 'windows-1252'
  }
}
