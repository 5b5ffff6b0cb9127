import { inflateSync } from 'fflate'
import { xmlElementsIn } from '../elements.js'
import type { ElementCount } from '../elements.js'
import { DocumentProblem } from '../problem.js'
import type { Limits } from '../options.js'
import { entriesOf } from './directory.js'
import type { Entry } from './directory.js'

const maxEntries = 20_000

/** What is larger than this may be packed no better than so many times. */
const ratioFrom = 64 * 2 ** 20
const highestRatio = 250

/** Bytes of what is unpacked at once. */
const largestPart = 128 * 2 ** 20

const broken = 'its container is damaged or cut off: save or upload it again'

/** A container in the ZIP format. Sizes are those of its directory, beyond which nothing is unpacked. */
export class Zip {
  private readonly entries = new Map<string, Entry>()

  /** @throws DocumentProblem where it is damaged or would unpack to too much */
  constructor(
    bytes: Uint8Array,
    limits: Pick<Limits, 'unpacked'>,
    private readonly elements: ElementCount,
  ) {
    let unpacked = 0
    reading(() => {
      for (const [name, entry] of entriesOf(bytes)) {
        this.entries.set(name, entry)
        unpacked += entry.size
        if (this.entries.size > maxEntries) throw new DocumentProblem(`it holds more than ${maxEntries} files`)
        const ratio = unpacked / bytes.length
        if (unpacked > limits.unpacked || (unpacked > ratioFrom && ratio > highestRatio))
          throw new DocumentProblem(
            `it would unpack to more than ${Math.floor(Math.min(unpacked, limits.unpacked) / 2 ** 20)} MB, which looks like an attack: ` +
              'split it, or leave out what makes it so large',
          )
      }
    })
  }

  get names(): ReadonlySet<string> {
    return new Set(this.entries.keys())
  }

  has(name: string): boolean {
    return this.entries.has(name)
  }

  /** @throws DocumentProblem where it is damaged or too large */
  read(name: string): Uint8Array | undefined {
    const entry = this.entries.get(name)
    if (!entry) return undefined
    if (entry.size > largestPart)
      throw new DocumentProblem(
        `one of its parts has ${Math.ceil(entry.size / 2 ** 20)} MB, and at most ${largestPart / 2 ** 20} are read: split it`,
      )
    return reading(() => unpacked(entry))
  }

  /** Reads a part that will be taken apart, whose elements count. */
  markup(name: string): Uint8Array | undefined {
    const content = this.read(name)
    if (content) this.elements.add(xmlElementsIn(content))
    return content
  }

  /** Reads such a part as text. */
  text(name: string): string | undefined {
    const content = this.markup(name)
    return content && new TextDecoder(content[0] === 0xff || content[0] === 0xfe ? 'utf-16' : 'utf-8').decode(content)
  }
}

/** @throws where it is packed in another way, damaged or of another size than it claims */
const unpacked = ({ method, size, packed }: Entry): Uint8Array => {
  if (method !== 0 && method !== 8) throw new Error(`an unknown way of packing: ${method}`)
  // what does not fit into the buffer is dropped: the byte behind shows that there is more
  const content = method === 0 ? packed : inflateSync(packed, { out: new Uint8Array(size + 1) })
  if (content.length !== size) throw new Error('a part of another size than it claims')
  return content
}

const reading = <Result>(task: () => Result): Result => {
  try {
    return task()
  } catch (error) {
    if (error instanceof DocumentProblem) throw error
    throw new DocumentProblem(broken, { cause: error })
  }
}
