import { clauseEnd, isAged, years } from '../recognizers/date-time.js'
import { raw } from '../patterns/raw-regex.js'
import type { FindingWithKind } from './neighbours.js'

/** `, 43,`, ` (43)`, ` is 43.` */
const ageBehindName = raw.u`^(?<lead>,? \((?:aged? )?|, (?:now |aged? )?|${isAged})(?<age>${years})(?:(?<=\(.{1,9})\)|(?<=,.{1,9})(?:;|\s{0,4}\n|,(?! ?\d))|(?<=[’'a-z] .{1,9})${clauseEnd})`
const maxLength = 24
const score = 0.6

/** Ages right behind the names of people. */
export const agesBehindNames = (findings: readonly FindingWithKind[], text: string): FindingWithKind[] =>
  findings.flatMap(({ type, end }) => {
    if (type !== 'PERSON') return []
    const { lead = '', age = '' } = ageBehindName.exec(text.slice(end, end + maxLength))?.groups ?? {}
    const start = end + lead.length
    return age === '' ? [] : [{ type: 'AGE', start, end: start + age.length, score }]
  })
