const invisible = {
  ...{ shy: '\u00ad', zwnj: '\u200c', zwj: '\u200d', lrm: '\u200e', rlm: '\u200f', NoBreak: '\u2060' },
  ...{ ZeroWidthSpace: '\u200b', NegativeVeryThinSpace: '\u200b', NegativeThinSpace: '\u200b' },
  ...{ NegativeMediumSpace: '\u200b', NegativeThickSpace: '\u200b', af: '\u2061', ApplyFunction: '\u2061' },
  ...{ it: '\u2062', InvisibleTimes: '\u2062', ic: '\u2063', InvisibleComma: '\u2063' },
}

const blanks = {
  ...{ nbsp: '\u00a0', NonBreakingSpace: '\u00a0', Tab: '\t', NewLine: '\n', ensp: '\u2002', emsp: '\u2003' },
  ...{ emsp13: '\u2004', emsp14: '\u2005', numsp: '\u2007', puncsp: '\u2008', thinsp: '\u2009', ThinSpace: '\u2009' },
  ...{ hairsp: '\u200a', VeryThinSpace: '\u200a', MediumSpace: '\u205f', ThickSpace: '\u205f' },
}

/** Signs that personal information and markup are made of. */
const signs = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", commat: '@', period: '.', lowbar: '_' },
  ...{ hyphen: '-', dash: '-', colon: ':', sol: '/', plus: '+', num: '#', comma: ',', lpar: '(', rpar: ')' },
}

/**
 * Characters by their names in HTML (Living Standard, section 13.5): all invisible ones, blanks and signs. Each is one
 * UTF-16 code unit: `ThickSpace` stands for two blanks, which say no more than one.
 */
export const entities: ReadonlyMap<string, string> = new Map(Object.entries({ ...signs, ...blanks, ...invisible }))
