/** Puts originals back into one text, as it grows. */

import type { Steps } from '@sallyport/kit/async'
import { isJson, stringSpans } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'
import type { Entry, SubstituteIndex } from './substitute-index.js'
import { isPlaceholder, lacksCapital } from '../replace/substitutes.js'
import { Zones } from './zones.js'

/** A part of the text, and what leaves in its place. */
export interface Piece extends Span {
  readonly text: string
  readonly isRestored: boolean
}

export interface RestoreContext {
  readonly index: SubstituteIndex
  /** Called with the type of each substitute that stays. */
  readonly onKept: (type: string) => void
  /** Whether all substitutes stay. */
  readonly keepsAll?: boolean
  /** Whether people may be shown the text as it stands, so that an address in JSON goes on behind its string. */
  readonly isShown?: boolean
  /** Whether the text begins inside an address. */
  readonly isInAddress?: boolean
}

/** UTF-16 code units of a text that are restored in one step. */
const step = 16_384

/** UTF-16 code units after a substitute that may decide whether it ends there, and whether an address goes on. */
const lookAhead = 64

/**
 * Restores a text by pieces, which do not depend on how it arrives. What is not JSON is read from its beginning to its
 * end, and held only where it could still become a substitute.
 */
export class Restorer {
  private readonly zones: Zones
  private rest = ''
  /** The position of the rest in the text. */
  private offset = 0
  /** The character before the rest. */
  private last = ''

  constructor(private readonly context: RestoreContext) {
    this.zones = Zones.ofText(context.isInAddress)
  }

  /** Adds text. @returns the pieces that are certain, however it goes on */
  push(text: string): Piece[] {
    this.rest += text
    return this.take(false)
  }

  /** The pieces of the rest. The text may go on, but nothing is restored across this position. */
  flush(): Piece[] {
    return this.take(true)
  }

  private take(isEnd: boolean): Piece[] {
    const { index } = this.context
    const pieces: Piece[] = []
    let [literal, at] = [0, 0]
    const emit = (end: number, text: string, isRestored: boolean) => {
      const [start, stop] = [this.offset + literal, this.offset + end]
      if (start < stop) pieces.push({ start, end: stop, text, isRestored })
      literal = end
    }
    while (at < this.rest.length) {
      const char = this.rest.charAt(at)
      const match = index.mayBegin(char) ? this.match(at, isEnd) : undefined
      if (match === 'open') break
      if (!match) {
        this.zones.feed(char)
        this.last = char
        at += 1
        continue
      }
      const written = this.rest.slice(at, match.end)
      if (this.isKept(match)) {
        this.context.onKept(match.entry[0].type)
        // A substitute may begin an address, but a space in one ends none.
        if (!this.zones.isOpen && !isPlaceholder(match.entry[0].substitute)) this.zones.feed(written)
      } else {
        const original = originalOf(match.entry, written)
        emit(at, this.rest.slice(literal, at), false)
        emit(match.end, original, true)
        this.zones.feed(original)
      }
      this.last = written.slice(-1)
      at = match.end
    }
    emit(at, this.rest.slice(literal, at), false)
    this.rest = this.rest.slice(at)
    this.offset += at
    return pieces
  }

  /** The longest substitute from a position on; `open` where that is not known yet. */
  private match(at: number, isEnd: boolean): Match | 'open' | undefined {
    if (isJoined(this.last, this.rest.charAt(at))) return undefined
    const { found, isOpen } = this.context.index.find(this.rest, at)
    const last = found.at(-1)
    if (!isEnd && (isOpen || (last && isUndecided(this.rest.slice(last.end, last.end + lookAhead))))) return 'open'
    const match = found.findLast(({ end, entry }) => {
      const written = this.rest.slice(at, end)
      return endsWord(this.rest, at, end) && !entry.every(({ substitute }) => lacksCapital(written, substitute))
    })
    return match && { ...match, after: this.rest.slice(match.end, match.end + lookAhead), before: this.last }
  }

  private isKept({ entry, after, before }: Match): boolean {
    if (this.context.keepsAll || this.zones.isOpen) return true
    const [{ substitute }] = entry
    // An address in angle brackets is no tag.
    if (before === '<' && !after.startsWith('>')) return true
    const continuation = /\/\/|^www\./u.test(substitute) ? /^[^\s)\]}>"'.,;:!|*`]/u : continuesAsAddress
    return continuation.test(after)
  }
}

interface Match {
  readonly end: number
  readonly entry: Entry
  readonly before: string
  readonly after: string
}

/** The rest of the name of a host or of an address of mail, up to what shows that it is one. */
const continuesAsAddress = /^(?:[\p{L}\p{M}\p{N}_+-]*\.|[\p{L}\p{M}\p{N}_+.-]*@)[\p{L}\p{N}]/u

/** Whether what follows a substitute may go on so that it is part of a word or an address. */
const isUndecided = (after: string): boolean => after.length < lookAhead && /^[\p{L}\p{M}\p{N}_+.@-]*$/u.test(after)

/** Letters of scripts with upper and lower case, and digits: they make up words that spaces separate. */
const ofWords = /[\p{Lu}\p{Ll}\p{Lt}\p{M}\p{N}]/u

const isJoined = (before: string, after: string): boolean => ofWords.test(before) && ofWords.test(after)

/** Endings of inflected names. A name of several words is so rare that what follows it may be any short ending. */
const endings = /^(?:e?s)?$/iu
const endingsOfLongNames = /^\p{L}{0,3}$/u
const maxEnding = 3

/** Whether no word goes on after a substitute, but for an ending. */
const endsWord = (text: string, start: number, end: number): boolean => {
  const [final, next] = [text.charAt(end - 1), text.charAt(end)]
  if (!isJoined(final, next)) return true
  if (!/\p{L}/u.test(final)) return false
  const ending = /^[\p{L}\p{M}\p{N}]*/u.exec(text.slice(end, end + maxEnding + 1))?.[0] ?? ''
  return (/\s/u.test(text.slice(start, end)) ? endingsOfLongNames : endings).test(ending)
}

/** The original in the case in which its substitute is written. */
const originalOf = (entry: Entry, written: string): string => {
  const { substitute, original } = entry.find((one) => one.substitute === written) ?? entry[0]
  if (written === substitute || isPlaceholder(substitute)) return original
  const [lower, upper] = [written.toLowerCase(), written.toUpperCase()]
  if (written === upper && written !== lower) return original.toUpperCase()
  if (written === lower && written !== upper) return original.toLowerCase()
  const isCapitalised = /^\p{Lu}/u.test(written) && /^\p{Ll}/u.test(substitute)
  return isCapitalised ? original.charAt(0).toUpperCase() + original.slice(1) : original
}

/** A complete text, restored in steps. JSON stays JSON: its strings are restored, in which JSON may be again. */
export function* restoreText(text: string, context: RestoreContext): Steps<string> {
  if (isJson(text)) return yield* restoreJson(text, context)
  const parts: string[] = []
  const restorer = new Restorer(context)
  for (const slice of inSteps(text)) {
    for (const { text: restored } of restorer.push(slice)) parts.push(restored)
    yield
  }
  return [...parts, ...restorer.flush().map((piece) => piece.text)].join('')
}

/** A text in the parts that are restored in one step each. */
export function* inSteps(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += step) yield text.slice(at, at + step)
}

function* restoreJson(json: string, context: RestoreContext): Steps<string> {
  const parts: string[] = []
  const [zones, address] = [Zones.acrossStrings(), Zones.ofAddress()]
  const contextHere = (): RestoreContext => ({
    ...context,
    keepsAll: Boolean(context.keepsAll) || zones.isOpen,
    isInAddress: Boolean(context.isShown) && address.isOpen,
  })
  let from = 0
  for (const { start, end } of stringSpans(json)) {
    const written = json.slice(start, end)
    const text = String(JSON.parse(written))
    parts.push(restoreNumbers(json.slice(from, start), contextHere()))
    address.feed(json.slice(from, start))
    const restored = yield* restoreText(text, contextHere())
    zones.feed(text)
    address.feed(written)
    parts.push(restored === text ? written : JSON.stringify(restored))
    from = end
  }
  return parts.join('') + restoreNumbers(json.slice(from), contextHere())
}

/** Restores numbers by numbers only. */
const restoreNumbers = (json: string, { index, onKept, keepsAll, isInAddress }: RestoreContext): string =>
  json.replaceAll(/-?\d[\d.eE+-]*/gu, (number) => {
    const entry = index.exact(number)
    if (!entry) return number
    const [{ type, original }] = entry
    if (!keepsAll && !isInAddress && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(original)) return original
    onKept(type)
    return number
  })
