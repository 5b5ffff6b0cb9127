import { unzipSync } from 'fflate'
import { DocumentProblem } from '../problem.js'
import type { Limits } from '../limits.js'

const mostEntries = 20_000

/** What is larger than this may be packed no better than so many times. */
const ratioFrom = 64 * 2 ** 20
const highestRatio = 250

const broken = 'its container is damaged or cut off: save or upload it again'

/** A container in the ZIP format. Sizes are those of its directory, beyond which nothing is unpacked. */
export class Zip {
  readonly names: ReadonlySet<string>
  private readonly cache = new Map<string, Uint8Array>()

  /** @throws DocumentProblem where it is damaged or would unpack to too much */
  constructor(
    private readonly bytes: Uint8Array,
    limits: Pick<Limits, 'unpacked'>,
  ) {
    const names = new Set<string>()
    let unpacked = 0
    reading(() =>
      unzipSync(bytes, {
        filter: ({ name, originalSize }) => {
          names.add(name)
          unpacked += originalSize
          if (names.size > mostEntries) throw new DocumentProblem(`it holds more than ${mostEntries} files`)
          const ratio = unpacked / bytes.length
          if (unpacked > limits.unpacked || (unpacked > ratioFrom && ratio > highestRatio))
            throw new DocumentProblem(
              `it would unpack to more than ${Math.floor(Math.min(unpacked, limits.unpacked) / 2 ** 20)} MB, which looks like an attack: ` +
                'split it, or leave out what makes it so large',
            )
          return false
        },
      }),
    )
    this.names = names
  }

  /** Unpacks what is asked for in one go: reading one by one goes through the directory each time. */
  load(wanted: (name: string) => boolean): void {
    const found = reading(() => unzipSync(this.bytes, { filter: ({ name }) => wanted(name) && !this.cache.has(name) }))
    for (const [name, content] of Object.entries(found)) this.cache.set(name, content)
  }

  read(name: string): Uint8Array | undefined {
    if (!this.names.has(name)) return undefined
    if (!this.cache.has(name)) this.load((other) => other === name)
    return this.cache.get(name)
  }

  text(name: string): string | undefined {
    const content = this.read(name)
    return content && new TextDecoder(content[0] === 0xff || content[0] === 0xfe ? 'utf-16' : 'utf-8').decode(content)
  }

  /** All of it, for libraries that unpack for themselves. */
  entries(): Record<string, Uint8Array> {
    this.load(() => true)
    return Object.fromEntries(this.cache)
  }
}

const reading = <Result>(task: () => Result): Result => {
  try {
    return task()
  } catch (error) {
    if (error instanceof DocumentProblem) throw error
    throw new DocumentProblem(broken, { cause: error })
  }
}
