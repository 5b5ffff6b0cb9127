import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { append } from '@sallyport/kit/lists'
import { isRecord } from '@sallyport/kit/json'
import { checksums } from '../checksums/index.js'
import { compileRecognizer } from '../matching/compiled.js'
import { entityName } from '../options.js'
import type { CustomRecognizer } from '../options.js'
import type { Recognizer } from '../recognizers/recognizer.js'
import { checkExamples } from './examples.js'
import { checkTime } from './time.js'

/** What is wrong with an entry of the option. */
export class RecognizerProblem extends Error {
  constructor(
    /** Its place in the list. */
    readonly index: number,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/**
 * The recognisers of a configuration, and of the modules that it names, as they are.
 * @throws RecognizerProblem
 */
export const readRecognizers = (entries: Entries, directory: string): Promise<Recognizer[]> =>
  ofEach(entries, (entry) => read(entry, directory))

/**
 * The same, tried out.
 * @throws RecognizerProblem
 */
export const validRecognizers = (entries: Entries, directory: string): Promise<Recognizer[]> =>
  ofEach(entries, async (entry) => {
    const own = await read(entry, directory)
    own.forEach(checkRecognizer)
    return own
  })

type Entries = readonly (CustomRecognizer | string)[]

const ofEach = async (
  entries: Entries,
  work: (entry: CustomRecognizer | string) => Promise<readonly Recognizer[]>,
): Promise<Recognizer[]> => {
  const found: Recognizer[] = []
  for (const [index, entry] of entries.entries())
    try {
      append(found, await work(entry))
    } catch (error) {
      throw new RecognizerProblem(index, error)
    }
  return found
}

const read = async (entry: CustomRecognizer | string, directory: string): Promise<readonly Recognizer[]> =>
  typeof entry === 'string' ? fromModule(entry, directory) : [fromEntry(entry)]

const fromEntry = ({
  entity,
  pattern,
  flags = '',
  score = 0.6,
  checksum,
  context,
  examples,
  counterExamples,
}: CustomRecognizer): Recognizer => ({
  entity,
  patterns: [{ regex: named(entity, () => new RegExp(pattern, `${flags}u`)), score }],
  ...(checksum && { validate: checksums[checksum] }),
  ...(context && { context: context.map((word) => word.toLowerCase()) }),
  examples: examples ?? [],
  counterExamples: counterExamples ?? [],
})

/** Its default export: one recogniser, or several. */
const fromModule = async (path: string, directory: string): Promise<Recognizer[]> => {
  const file = isAbsolute(path) ? path : resolve(directory, path)
  if (!existsSync(file)) throw new Error(`${path}: there is no such file`)
  const { default: exported } = await imported(file, path)
  const list = Array.isArray(exported) ? exported : [exported]
  return list.map((value) => {
    const missing = missingIn(value)
    if (missing === undefined) return value as Recognizer
    throw new Error(`${path}: its default export is no recogniser and no list of them: ${missing}`)
  })
}

/** What a module throws does not say which one it is. */
const imported = async (file: string, path: string): Promise<{ default?: unknown }> => {
  try {
    return (await import(pathToFileURL(file).href)) as { default?: unknown }
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** What the first part is that a recogniser must have and this does not, or that is wrong. */
const missingIn = (value: unknown): string | undefined => {
  if (!isRecord(value)) return 'it must be an object with entity, patterns, examples and counterExamples'
  const missing = Object.entries(parts).find(([name, { is }]) => !is(value[name]))
  return missing && `its ${missing[0]} must be ${missing[1].what}`
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string')

const isFunction = (value: unknown): boolean => typeof value === 'function'

const optional =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || is(value)

const isPattern = (value: unknown): boolean =>
  isRecord(value) &&
  value.regex instanceof RegExp &&
  typeof value.score === 'number' &&
  optional(isFunction)(value.within)

const parts: Readonly<Record<string, { readonly what: string; readonly is: (value: unknown) => boolean }>> = {
  entity: {
    what: 'a name in capitals, such as "PLATE"',
    is: (value) => typeof value === 'string' && new RegExp(entityName, 'u').test(value),
  },
  patterns: {
    what: 'a list of { regex, score }',
    is: (value) => Array.isArray(value) && value.every(isPattern),
  },
  examples: { what: 'a list of texts that it finds', is: isTexts },
  counterExamples: { what: 'a list of texts in which it finds nothing', is: isTexts },
  context: { what: 'a list of words', is: optional(isTexts) },
  otherContext: { what: 'a list of words', is: optional(isTexts) },
  validate: { what: 'a function', is: optional(isFunction) },
  within: { what: 'a function', is: optional(isFunction) },
}

/** @throws Error for one that is not sound */
const checkRecognizer = (recognizer: Recognizer): void => {
  named(recognizer.entity, () => {
    for (const pattern of compileRecognizer(recognizer).patterns) checkTime(pattern)
    checkExamples(recognizer)
  })
}

const named = <Result>(entity: string, work: () => Result): Result => {
  try {
    return work()
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new Error(`recogniser ${entity}: ${problem}`, { cause: error })
  }
}
