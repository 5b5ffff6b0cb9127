/**
 * Where nothing is put back: whoever fetches what stands there would send it to somebody else, and an attacker's document
 * can make a model write it. Each kind of zone is read by itself, a character at a time; where renderers disagree about
 * its end, the later one counts.
 */

interface Zone {
  /** Whether the next character is inside. */
  readonly isOpen: boolean
  feed(char: string): void
}

/** The zones around the end of a text that grows. */
export class Zones {
  private constructor(private readonly zones: readonly Zone[]) {}

  /** @param isInAddress whether the text begins inside an address */
  static ofText(isInAddress = false): Zones {
    return new Zones([new Address(isInAddress), ...markup(), new LinkTarget(), styleString(), new LinkDefinition()])
  }

  /** Those that may go on from one string of JSON to the next, where JSON is shown as it is. */
  static acrossStrings(): Zones {
    return new Zones([...markup(), new LinkTarget()])
  }

  static ofAddress(): Zones {
    return new Zones([new Address()])
  }

  get isOpen(): boolean {
    return this.zones.some((zone) => zone.isOpen)
  }

  feed(text: string): void {
    for (let at = 0; at < text.length; at += 1) for (const zone of this.zones) zone.feed(text.charAt(at))
  }
}

/** White space of HTML. Others may be read as part of an address. */
const isSpace = (char: string): boolean => ' \t\n\r\f'.includes(char)

/** A host without a scheme: `example.org/?q=`. A label has at most 63 characters (RFC 1035). */
const host = /[\p{L}\p{N}][\p{L}\p{N}_-]{0,62}\.[\p{L}\p{N}-]{1,63}\.?(?::\d{1,5})?[/?#]$/u
/** How the run before a character ends that begins an address. */
const addressStarts: Readonly<Record<string, readonly RegExp[]>> = {
  // The scheme of any protocol, or none.
  '/': [/\/\/$/u, host],
  // Browsers need no slash behind some of them.
  ':': [/(?<![\p{L}\p{N}])(?:https?|wss?|ftp|mailto|tel|sms|data|javascript|vbscript|blob|file|cid):$/iu],
  '.': [/(?<![\p{L}\p{N}])www\.$/iu],
  '?': [host],
  '#': [host],
}
/** Characters before the end of a run that are searched for the beginning of an address: a host of two labels. */
const maxStart = 140

/** Signs of an address as HTML may name them. */
const namedSigns: Readonly<Record<string, string>> = { sol: '/', colon: ':', period: '.', quest: '?', num: '#' }
const characterReference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(sol|colon|period|quest|num));$/iu

/** The run with its last character as a renderer reads it: escapes of Markdown and references of HTML stand for others. */
const extended = (run: string, char: string): string => {
  const isEscape = addressStarts[char] !== undefined && run.endsWith('\\')
  const whole = (isEscape ? run.slice(0, -1) : run) + char
  if (char !== ';') return whole
  return whole.replace(characterReference, (reference, decimal?: string, hex?: string, name?: string) => {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return (
      namedSigns[name?.toLowerCase() ?? ''] ??
      (code > 0x20 && code <= 0x10ffff ? String.fromCodePoint(code) : reference)
    )
  })
}

/** A web address, up to white space or an angle bracket. */
class Address implements Zone {
  private run = ''

  constructor(public isOpen = false) {}

  feed(char: string): void {
    if (char === '<' || char === '>' || isSpace(char)) {
      this.isOpen = false
      this.run = ''
      return
    }
    this.run = extended(this.run, char)
    if (this.run.length > 2 * maxStart) this.run = this.run.slice(-maxStart)
    if (!this.isOpen)
      this.isOpen = addressStarts[this.run.at(-1) ?? '']?.some((pattern) => pattern.test(this.run)) ?? false
  }
}

/** Where a tag may be: in its name, at a part of an attribute, behind its `=`, or in its value, quoted or not. */
type Place = 'name' | 'gap' | 'attribute' | 'afterAttribute' | 'equals' | 'value' | '"' | "'"

/** The next place as browsers read a tag; undefined behind its end. */
const nextPlace = (place: Place, char: string): Place | undefined => {
  if (place === '"' || place === "'") return char === place ? 'gap' : place
  if (char === '>') return undefined
  if (place === 'equals') return char === '"' || char === "'" ? char : isSpace(char) ? place : 'value'
  if (isSpace(char)) return place === 'attribute' || place === 'afterAttribute' ? 'afterAttribute' : 'gap'
  if (place === 'value') return place
  if (char === '/') return 'gap'
  if (place === 'name') return place
  return char === '=' && place !== 'gap' ? 'equals' : 'attribute'
}

/**
 * A zone whose end depends on what stands inside. It may begin inside itself, too, for what looked like its beginning may
 * be none, as in code and comments.
 */
class Automaton<State extends string> implements Zone {
  private states: ReadonlySet<State> = new Set()
  /** The last characters, as many as may begin or end it. */
  private last = ''

  /** @param next the state behind a character, which is the last one of those given; undefined behind the end */
  constructor(
    private readonly start: RegExp,
    private readonly first: State,
    private readonly next: (state: State, char: string, last: string) => State | undefined,
  ) {}

  get isOpen(): boolean {
    return this.states.size > 0
  }

  /** @param begins whether it may begin with this character, where that is known */
  feed(char: string, begins?: boolean): void {
    this.last = (this.last + char).slice(-10)
    const isStart = begins ?? this.start.test(this.last)
    if (!isStart && !this.isOpen) return
    const states: State[] = isStart ? [...this.states, this.first] : [...this.states]
    this.states = new Set(states.flatMap((state) => this.next(state, char, this.last) ?? []))
  }
}

/** A tag of HTML with its attributes: it may have any name, and ends at a `>` outside quotes. */
const tag = () => new Automaton(/<[a-z/!?]$/iu, 'name', nextPlace)

/** A section of CDATA. XML ends it at its `]]>`, HTML, as a comment, at any `>`. */
const characterData = (): Zone =>
  new Automaton(/<!\[CDATA\[$/u, 'inside', (state, _char, last) => (last.endsWith(']]>') ? undefined : state))

type Quote = '"' | "'"
type StringState = 'gap' | 'slash' | 'comment' | 'star' | Quote | `\\${Quote}`

/** Before the string, spaces and comments may stand; a line end that nothing escapes ends it, too. */
const nextOfString = (state: StringState, char: string): StringState | undefined => {
  switch (state) {
    case 'gap':
      if (char === '"' || char === "'") return char
      return char === '/' ? 'slash' : char === '(' || isSpace(char) ? state : undefined
    case 'slash':
      return char === '*' ? 'comment' : undefined
    case 'comment':
      return char === '*' ? 'star' : state
    case 'star':
      return char === '/' ? 'gap' : char === '*' ? state : 'comment'
    case '"':
    case "'":
      return char === '\\' ? `\\${state}` : char === state || char === '\n' ? undefined : state
    default:
      return char === '\r' ? state : (state.slice(1) as Quote)
  }
}

/** A string of a style sheet that names an address: `@import "…"`, `url("…")`. */
const styleString = (): Zone => new Automaton(/(?:@import["'/ \t\n\r\f]|(?:url|image-set)\()$/iu, 'gap', nextOfString)

/**
 * An element of HTML whose text is code or is sent away, to the tag that ends it: a style sheet has many ways to name an
 * address, and forms send text areas and options.
 */
class Element implements Zone {
  isOpen = false
  // Without the flag u, under which other letters count as an s, too.
  private readonly start: RegExp
  private readonly end: RegExp
  private readonly startTag = tag()
  /** The last `<` with what follows, up to more than begins or ends it. */
  private last = ''

  /** @param isEndless whether what looks like its end may be none */
  constructor(
    name: string,
    private isEndless = false,
  ) {
    this.start = new RegExp(`^<${name}.$`, 'is')
    this.end = new RegExp(`^</${name}.$`, 'is')
  }

  feed(char: string): void {
    if (char === '<') this.last = char
    else if (this.last.length < 12) this.last += char
    // SVG and MathML read tags and comments in it, and behind `<!--` a script goes on at the end of another.
    this.isEndless ||= /^<(?:svg|math)$/i.test(this.last) || (this.isOpen && this.last === '<!--')
    const mayEndName = char === '/' || char === '>' || isSpace(char)
    const begins = mayEndName && this.start.test(this.last)
    if (begins) this.isOpen = true
    else if (mayEndName && !this.isEndless && !this.startTag.isOpen) this.isOpen &&= !this.end.test(this.last)
    if (this.isOpen) this.startTag.feed(char, begins)
  }
}

const markup = (): Zone[] => [
  tag(),
  characterData(),
  ...['style', 'script', 'textarea'].map((name) => new Element(name)),
  // Tags and comments may stand in it, in which its end is none.
  new Element('select', true),
]

/** The target of a link or image in Markdown, with its title: `](…)`; or of `url(…)` and the like in a style sheet. */
class LinkTarget implements Zone {
  private depth = 0
  private isAngled = false
  private isEscaped = false
  /** The last characters: those before the target, and the white space inside. */
  private last = ''

  get isOpen(): boolean {
    return this.depth > 0
  }

  feed(char: string): void {
    this.last = (this.last + char).slice(-10)
    if (!this.isOpen) {
      if (char === '(' && /(?:\]|url|image-set)\($/iu.test(this.last)) this.begin()
    } else if (char === '\n' && /\n[ \t\r]*\n$/u.test(this.last)) this.depth = 0
    else {
      if (char === '<') this.isAngled = true
      else if (char === '>' && !this.isEscaped) this.isAngled = false
      // Not all renderers know escapes and angle brackets, in which a bracket means nothing.
      else if (char === '(') this.depth += 1
      else if (char === ')' && !this.isAngled && !this.isEscaped) this.depth -= 1
      this.isEscaped = char === '\\' && !this.isEscaped
    }
  }

  private begin(): void {
    this.depth = 1
    this.isAngled = false
    this.isEscaped = false
  }
}

/** The target of a link that is defined apart, to the end of its line or, where nothing follows, of the next: `[1]: …`. */
class LinkDefinition implements Zone {
  isOpen = false
  private isEmpty = true
  private last = ''

  feed(char: string): void {
    if (char === ':' && this.last === ']') {
      this.isOpen = true
      this.isEmpty = true
    } else if (char !== '\n') this.isEmpty &&= isSpace(char)
    else if (!this.isEmpty) this.isOpen = false
    this.last = char
  }
}
