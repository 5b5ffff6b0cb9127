import { inflateSync } from 'fflate'
import { xmlElementsIn } from '../element-budget.js'
import type { ElementBudget } from '../element-budget.js'
import { DocumentProblem } from '../problem.js'
import type { Limits } from '../options.js'
import { entriesOf } from './directory.js'
import type { Entry } from './directory.js'

const maxEntries = 20_000

/** Containers that unpack to more than this may have no more than {@link maxRatio} times their own size. */
const minBytesForRatio = 64 * 2 ** 20
const maxRatio = 250

/** Max bytes of one entry, unpacked. */
const maxPartBytes = 128 * 2 ** 20

/** A ZIP container. Entries that unpack to more than their declared size are refused. */
export class Zip {
  private readonly entries = new Map<string, Entry>()

  /** @throws DocumentProblem where it is damaged or would unpack to too much */
  constructor(
    bytes: Uint8Array,
    limits: Pick<Limits, 'unpacked'>,
    private readonly elements: ElementBudget,
  ) {
    let total = 0
    reportingDamage(() => {
      for (const [name, entry] of entriesOf(bytes)) {
        this.entries.set(name, entry)
        total += entry.size
        if (this.entries.size > maxEntries) throw new DocumentProblem(`it holds more than ${maxEntries} files`)
        if (total > limits.unpacked || (total > minBytesForRatio && total > maxRatio * bytes.length))
          throw new DocumentProblem(
            `it would unpack to more than ${Math.floor(Math.min(total, limits.unpacked) / 2 ** 20)} MB, which looks like an attack: ` +
              'split it, or leave out what makes it so large',
          )
      }
    })
  }

  get names(): string[] {
    return [...this.entries.keys()]
  }

  has(name: string): boolean {
    return this.entries.has(name)
  }

  /** @throws DocumentProblem where it is damaged or too large */
  read(name: string): Uint8Array | undefined {
    const entry = this.entries.get(name)
    if (!entry) return undefined
    if (entry.size > maxPartBytes)
      throw new DocumentProblem(
        `one of its parts has ${Math.ceil(entry.size / 2 ** 20)} MB, and at most ${maxPartBytes / 2 ** 20} are read: split it`,
      )
    return reportingDamage(() => unpacked(entry))
  }

  /** Reads a part that will be parsed, and counts its elements. */
  markup(name: string): Uint8Array | undefined {
    const content = this.read(name)
    if (content) this.elements.add(xmlElementsIn(content))
    return content
  }

  /** Like {@link markup}, as text. */
  text(name: string): string | undefined {
    const content = this.markup(name)
    return content && new TextDecoder(content[0] === 0xff || content[0] === 0xfe ? 'utf-16' : 'utf-8').decode(content)
  }
}

/** @throws where the method is unknown, the data damaged, or the size not the declared one */
const unpacked = ({ method, size, packed }: Entry): Uint8Array => {
  if (method !== 0 && method !== 8) throw new Error(`an unknown way of packing: ${method}`)
  // data beyond the buffer is dropped, so one more byte shows that there is too much
  const content = method === 0 ? packed : inflateSync(packed, { out: new Uint8Array(size + 1) })
  if (content.length !== size) throw new Error('a part of another size than it claims')
  return content
}

const reportingDamage = <Result>(task: () => Result): Result => {
  try {
    return task()
  } catch (error) {
    if (error instanceof DocumentProblem) throw error
    throw new DocumentProblem('its container is damaged or cut off: save or upload it again', { cause: error })
  }
}
