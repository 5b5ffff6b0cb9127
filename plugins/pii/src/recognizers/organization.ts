import { oneOf } from '../patterns/one-of.js'
import type { Pattern, Recognizer } from './recognizer.js'

const word = String.raw`[\p{Lu}\d][\p{L}\p{M}\d&'’.-]{0,30}`
const joined = String.raw`(?: (?:(?:of|and|the|for|de|&|\+) ){0,2}${word})`
const forms = oneOf(
  'Inc|Incorporated|LLC|L.L.C|Ltd|Limited|Corp|Corporation|Company|Co|PLC|plc|LLP|LP|GmbH|AG|KG|e.V|SE|SA|S.A|SAS|SARL|SpA|S.p.A|Srl|S.r.l|BV|B.V|NV|N.V|AB|Oy|ASA|A/S|ApS|Kft|Pty|Holdings|Group|Technologies|Solutions|Partners|Associates|Enterprises|Industries|Consulting|Ventures|Systems|Software|Labs|Bank|Insurance|Airlines|Pharmaceuticals|Foundation|Institute|University|College|Hospital|Clinic|Agency|Association|Services'.split(
    '|',
  ),
)

const pattern = (body: string, score: number): Pattern => ({
  regex: new RegExp(String.raw`(?<![\p{L}\p{N}])${body}(?![\p{L}\p{N}])`, 'u'),
  score,
})

const after = (lead: string, score: number): Pattern =>
  pattern(String.raw`(?<lead>${lead} )${word}${joined}{0,3}`, score)

export const organization: Recognizer = {
  entity: 'ORGANIZATION',
  patterns: [
    pattern(String.raw`${word}${joined}{0,3},? ${forms}\.?(?: ${forms}\.?)?`, 0.7),
    pattern(
      String.raw`(?:University|Bank|Institute|Ministry|Department|Church|College|Museum) of (?:the )?${word}${joined}{0,2}`,
      0.7,
    ),
    after(
      String.raw`(?:[Ww]ork(?:s|ed|ing)?|[Ee]mployed|[Jj]ob|[Ii]ntern(?:s|ed|ing)?|[Cc]areer|[Pp]osition|[Ee]ngineer|[Dd]eveloper|[Mm]anager) (?:at|for|by|with)`,
      0.65,
    ),
    after(
      String.raw`(?:CEO|CTO|CFO|COO|[Ff]ounder|[Cc]o-founder|[Cc]hairman|[Pp]resident|[Dd]irector|[Ee]mployees?|[Ss]hareholders?|[Cc]ustomers?) (?:of|at)`,
      0.6,
    ),
    after(
      String.raw`(?:[Cc]ompany|[Ff]irm|[Ss]tartup|[Ee]mployer|[Oo]rgani[sz]ation|[Cc]orporation)(?: called| named| is|,|:)`,
      0.6,
    ),
    pattern(
      String.raw`${word}${joined}{0,3}(?<trail>,? (?:is|was) (?:an? )(?:[\p{L}-]{1,20} ){0,2}(?:company|corporation|firm|startup|nonprofit|non-profit|charity|501\(c\)3|manufacturer|retailer|supplier|provider|bank))`,
      0.65,
    ),
  ],
  validate: (match) => !notNames.test(match),
  invalidInContext: false,
  examples: [
    'Archimedes Inc',
    'at [Acme Widgets GmbH]',
    'University of Oslo',
    'she works for [Contoso]',
    'CEO of [Initech]',
    '[Globex] is a company',
  ],
  counterExamples: [
    'the company is large',
    'CEO of the year',
    'works at night',
    'Bank holiday',
    'a Group',
    'The Company',
    'Our Services',
  ],
}

/** Words that begin a sentence, or are nobody's name. */
const notNames =
  /^(?:(?:The|A|An|Our|Your|My|This|That|Their|His|Her|Its|Any|Each|Some|New|What|Which|It|He|She|They|We|I) )*(?:The|A|An|Our|Your|My|This|That|It|He|She|Company|Group|Services|Systems|Software|Solutions|Bank|Limited|Christmas|January|Monday)(?: (?:Company|Group|Services|Systems|Software|Bank|Corporation|Association|Agency|Hospital|University|College|Institute|Limited|Insurance|Foundation|Clinic|Partners))?$/u
