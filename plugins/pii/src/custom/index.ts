import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { append } from '@sallyport/kit/lists'
import { isRecord } from '@sallyport/kit/json'
import { checksums } from '../checksums/index.js'
import { compileRecognizer } from '../matching/compiled.js'
import { entityName } from '../options/index.js'
import type { CustomRecognizer } from '../options/index.js'
import type { Recognizer } from '../recognizers/recognizer.js'
import { checkExamples } from './examples.js'
import { checkTime } from './time.js'

/** An invalid entry of the option `recognizers`. */
export class RecognizerProblem extends Error {
  constructor(
    /** The index of the entry in the list. */
    readonly index: number,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/**
 * Reads the recognisers of a configuration, and of the modules that it names, without validating them.
 * @throws RecognizerProblem
 */
export const readRecognizers = (entries: Entries, directory: string): Promise<Recognizer[]> =>
  recognizersOf(entries, (entry) => read(entry, directory))

/**
 * Reads recognisers and tests their patterns and examples.
 * @throws RecognizerProblem
 */
export const validRecognizers = (entries: Entries, directory: string): Promise<Recognizer[]> =>
  recognizersOf(entries, async (entry) => {
    const recognizers = await read(entry, directory)
    recognizers.forEach(checkRecognizer)
    return recognizers
  })

type Entries = readonly (CustomRecognizer | string)[]

const recognizersOf = async (
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
  patterns: [{ regex: withEntityName(entity, () => new RegExp(pattern, `${flags}u`)), score }],
  ...(checksum && { validate: checksums[checksum] }),
  ...(context && { context: context.map((word) => word.toLowerCase()) }),
  examples: examples ?? [],
  counterExamples: counterExamples ?? [],
})

/** Reads the default export of a module: a recogniser or a list of them. */
const fromModule = async (path: string, directory: string): Promise<Recognizer[]> => {
  const file = isAbsolute(path) ? path : resolve(directory, path)
  if (!existsSync(file)) throw new Error(`${path}: there is no such file`)
  const { default: exported } = await importModule(file, path)
  const list = Array.isArray(exported) ? exported : [exported]
  return list.map((value) => {
    const problem = problemIn(value)
    if (problem === undefined) return value as Recognizer
    throw new Error(`${path}: its default export is neither a recogniser nor a list of recognisers: ${problem}`)
  })
}

/** Imports a module and adds its path to errors. */
const importModule = async (file: string, path: string): Promise<{ default?: unknown }> => {
  try {
    return (await import(pathToFileURL(file).href)) as { default?: unknown }
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** Describes the first field of a recogniser that is missing or wrong. */
const problemIn = (value: unknown): string | undefined => {
  if (!isRecord(value)) return 'it must be an object with entity, patterns, examples and counterExamples'
  const invalidField = Object.entries(fields).find(([name, { is }]) => !is(value[name]))
  return invalidField && `its ${invalidField[0]} must be ${invalidField[1].what}`
}

const isStringArray = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string')

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

const fields: Readonly<Record<string, { readonly what: string; readonly is: (value: unknown) => boolean }>> = {
  entity: {
    what: 'a name in capitals, such as "PLATE"',
    is: (value) => typeof value === 'string' && new RegExp(entityName, 'u').test(value),
  },
  patterns: {
    what: 'a list of { regex, score }',
    is: (value) => Array.isArray(value) && value.every(isPattern),
  },
  examples: { what: 'a list of texts that it finds', is: isStringArray },
  counterExamples: { what: 'a list of texts in which it finds nothing', is: isStringArray },
  context: { what: 'a list of words', is: optional(isStringArray) },
  otherContext: { what: 'a list of words', is: optional(isStringArray) },
  validate: { what: 'a function', is: optional(isFunction) },
  within: { what: 'a function', is: optional(isFunction) },
}

/** @throws Error for a recogniser that is too slow or fails its examples */
const checkRecognizer = (recognizer: Recognizer): void => {
  withEntityName(recognizer.entity, () => {
    for (const pattern of compileRecognizer(recognizer).patterns) checkTime(pattern)
    checkExamples(recognizer)
  })
}

const withEntityName = <Result>(entity: string, work: () => Result): Result => {
  try {
    return work()
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new Error(`recogniser ${entity}: ${problem}`, { cause: error })
  }
}
