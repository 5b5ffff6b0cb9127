/**
 * Sentences with personal information at known places, made of templates of eleven registers (pii-templates.json) and
 * names (pii-fillers.json). The recognisers were improved with one half of the templates and names in view; the other
 * half is only counted.
 *
 * The names come from other lists than the recognisers': those of mimesis 22.2.0, Copyright 2017-2025 Isaac Uribe, MIT,
 * and, for Vietnamese, of Faker 40.63.0, Copyright 2012 Daniele Faraglia, MIT, drawn by chance (both packages of PyPI);
 * Russian and Ukrainian names are transliterated, and companies with a legal form stand apart.
 */

import { readFileSync } from 'node:fs'
import { Chance } from './random.js'
import type { LabelledSpan } from './spans.js'

export interface Sentence {
  readonly half: 'looked at' | 'held out'
  readonly text: string
  /** In UTF-16 code units. */
  readonly spans: readonly LabelledSpan[]
  readonly template: string
}

type Templates = Readonly<Record<Sentence['half'], Readonly<Record<string, readonly string[]>>>>
type Names = Readonly<Record<'given' | 'surnames', string>>
type Fillers = Readonly<
  Record<'people', Record<string, Names>> &
    Record<'organizations' | 'organizationsWithForm' | 'streets' | 'northernStreets' | 'cities', string>
>

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../quality/${file}`, import.meta.url), 'utf8'))
const templates = read('pii-templates.json') as Templates
const fillers = read('pii-fillers.json') as Fillers

const english = ['en', 'en', 'en']
const languages = Object.keys(fillers.people)

/** Values for the slots of templates, from one half of all names. */
class Values {
  constructor(
    private readonly chance: Chance,
    private readonly half: 0 | 1,
  ) {}

  private readonly from = (list: string): string =>
    this.chance.oneOf(list.split('|').filter((_, index) => index % 2 === this.half))

  private readonly names = (): Names => {
    const language = this.chance.oneOf([...english, ...english, ...languages])
    return fillers.people[language] as Names
  }

  private readonly first = ({ given } = this.names()) => this.from(given)
  private readonly last = ({ surnames } = this.names()) => this.from(surnames)
  private readonly initialName = (names = this.names()) =>
    `${this.first(names)} ${this.chance.of('ABCDEFGHJKLMNPRSTVW', 1)}. ${this.last(names)}`
  private readonly person = (names = this.names()): string => {
    const kind = this.chance.below(10)
    if (kind === 0) return this.initialName(names)
    if (kind === 1) return `${this.first(names)} ${this.first(names)} ${this.last(names)}`
    if (kind === 2) return `${this.first(names)} ${this.last(names)}-${this.last(names)}`
    return `${this.first(names)} ${this.last(names)}`
  }

  private readonly number = (from: number, below: number) => String(from + this.chance.below(below - from))
  private readonly city = () => this.from(fillers.cities)
  private readonly streetName = () =>
    `${this.from(fillers.streets)} ${this.chance.oneOf(['St', 'Street', 'Ave', 'Avenue', 'Road', 'Rd', 'Lane', 'Drive', 'Court'])}`
  private readonly numbered = () => {
    const number = 2 + this.chance.below(90)
    const ending = Math.floor(number / 10) === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
    return `${number}${ending} ${this.chance.oneOf(['Ave', 'Street', 'St', 'Avenue'])}`
  }
  private readonly street = () =>
    this.chance.below(3)
      ? `${this.number(2, 9900)} ${this.streetName()}`
      : `${this.from(fillers.northernStreets)} ${this.number(1, 99)}`
  private readonly corner = () =>
    `${this.chance.oneOf([this.numbered, this.streetName])()} ${this.chance.oneOf(['and', '&'])} ${this.streetName()}`
  private readonly zip = () => this.number(10000, 99999)
  private readonly state = () => this.chance.oneOf(['CA', 'TX', 'NY', 'OH', 'WA', 'MN', 'GA', 'VA'])

  /** The values of slots, and where a slot has one, its type; titles and the like are no part of any. */
  private readonly slots: Readonly<Record<string, readonly [type: string, value: () => string]>> = {
    person: ['PERSON', this.person],
    initialName: ['PERSON', this.initialName],
    first: ['PERSON', this.first],
    last: ['PERSON', this.last],
    org: ['ORGANIZATION', () => this.from(fillers.organizations)],
    orgForm: ['ORGANIZATION', () => this.from(fillers.organizationsWithForm)],
    city: ['LOCATION', this.city],
    country: ['LOCATION', () => this.chance.oneOf(['Finland', 'Peru', 'Vietnam', 'Norway', 'Kenya', 'Portugal'])],
    street: ['LOCATION', this.street],
    address: [
      'LOCATION',
      () =>
        this.chance.below(2)
          ? `${this.street()}, ${this.city()}, ${this.state()} ${this.zip()}`
          : `${this.street()}, ${this.zip()} ${this.city()}`,
    ],
    quoted: ['LOCATION', () => `${this.street()}\n> ${this.city()}, ${this.state()} ${this.zip()}`],
    corner: ['LOCATION', this.corner],
    cornerOf: ['LOCATION', () => `the corner of ${this.corner()}`],
    date: [
      'DATE_TIME',
      () =>
        this.chance.oneOf([
          `${this.number(1, 29)} ${this.chance.oneOf(['March', 'June', 'October'])} ${this.number(1950, 2026)}`,
          `${this.chance.oneOf(['January', 'July', 'November'])} ${this.number(1, 29)}, ${this.number(1950, 2026)}`,
          `${this.number(1950, 2026)}-0${this.number(1, 10)}-${this.number(10, 29)}`,
          `0${this.number(1, 10)}/${this.number(10, 29)}/${this.number(1950, 2026)}`,
        ]),
    ],
    age: ['AGE', () => this.number(18, 95)],
    yearOld: ['AGE', () => `${this.number(18, 95)}${this.chance.oneOf(['-year-old', ' year old'])}`],
    nrp: ['NRP', () => this.chance.oneOf(['Norwegian', 'Polish', 'Brazilian', 'Turkish', 'Dutch', 'Czech'])],
    phone: [
      'PHONE_NUMBER',
      () =>
        this.chance.oneOf([
          `(${this.number(212, 219)}) ${this.number(200, 999)}-${this.chance.digits(4)}`,
          `+47 ${this.number(900, 999)} ${this.number(10, 99)} ${this.number(100, 999)}`,
          `+1 415 ${this.number(200, 999)} ${this.chance.digits(4)}`,
          `+48 60${this.chance.digits(1)} ${this.chance.digits(3)} ${this.chance.digits(3)}`,
        ]),
    ],
    email: [
      'EMAIL_ADDRESS',
      () =>
        `${this.chance.of('abcdefghijklmnoprstuvw', 1)}.${asciiOf(this.last())}@${this.chance.oneOf(['example.com', 'mail.example.org', 'post.no', 'firma.pl'])}`,
    ],
    url: ['URL', () => `https://www.${asciiOf(this.last())}.com/${this.chance.small(5)}`],
    ip: [
      'IP_ADDRESS',
      () => `${this.number(120, 223)}.${this.number(1, 255)}.${this.number(1, 255)}.${this.number(1, 255)}`,
    ],
    card: ['CREDIT_CARD', () => this.chance.oneOf(['4111 1111 1111 1111', '5500005555555559', '378282246310005'])],
    iban: [
      'IBAN_CODE',
      () => this.chance.oneOf(['DE89370400440532013000', 'NO93 8601 1117 947', 'GB82WEST12345698765432']),
    ],
    ssn: ['US_SSN', () => `${this.number(101, 665)}-${this.number(10, 99)}-${this.number(1000, 9999)}`],
    licence: ['US_DRIVER_LICENSE', () => `${this.chance.of('ABCDEFGH', 1)}${this.chance.digits(7)}`],
    stamp: [
      'DATE_TIME',
      () =>
        `2024-0${this.number(1, 10)}-${this.number(10, 29)} 0${this.number(1, 10)}:${this.number(10, 60)}:${this.number(10, 60)}`,
    ],
  }

  /** The text of a template with values in its slots, and where these are. */
  fill(template: string): Pick<Sentence, 'text' | 'spans'> {
    const spans: LabelledSpan[] = []
    let text = ''
    for (const part of template.split(/(\{\p{L}+\})/u)) {
      const [type, value] = this.slots[/^\{(.+)\}$/.exec(part)?.[1] ?? ''] ?? []
      const filled = value?.() ?? part
      if (type !== undefined) spans.push({ type, start: text.length, end: text.length + filled.length })
      text += filled
    }
    return { text, spans }
  }
}

const asciiOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')

/** So many sentences of each template, the same every time. */
export const sentences = (each = 6): Sentence[] =>
  (['looked at', 'held out'] as const).flatMap((half, index) => {
    const values = new Values(new Chance(index + 1), index === 0 ? 0 : 1)
    return Object.values(templates[half])
      .flat()
      .flatMap((template) => Array.from({ length: each }, () => ({ half, template, ...values.fill(template) })))
  })
