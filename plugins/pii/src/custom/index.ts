import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
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
export class RecognizerError extends Error {
  constructor(
    /** The index of the entry in the list. */
    readonly index: number,
    cause: unknown,
  ) {
    super(messageOf(cause), { cause })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Entries = readonly (CustomRecognizer | string)[]

/**
 * Reads the recognisers of a configuration and of the modules that it names.
 * @param check throws for an invalid recogniser; by default, none is checked
 * @throws RecognizerError
 */
export const readRecognizers = async (
  entries: Entries,
  directory: string,
  check?: (recognizer: Recognizer) => void,
): Promise<Recognizer[]> => {
  const all: Recognizer[] = []
  for (const [index, entry] of entries.entries())
    try {
      const recognizers = typeof entry === 'string' ? await fromModule(entry, directory) : [fromEntry(entry)]
      if (check) recognizers.forEach(check)
      append(all, recognizers)
    } catch (error) {
      throw new RecognizerError(index, error)
    }
  return all
}

/** Reads recognisers, and checks their patterns and examples. */
export const validRecognizers = (entries: Entries, directory: string): Promise<Recognizer[]> =>
  readRecognizers(entries, directory, checkRecognizer)

const fromEntry = (entry: CustomRecognizer): Recognizer => {
  const { entity, pattern, flags = '', score = 0.6, checksum, context, examples = [], counterExamples = [] } = entry
  return {
    entity,
    patterns: [{ regex: withEntityName(entity, () => new RegExp(pattern, `${flags}u`)), score }],
    ...(checksum && { validate: checksums[checksum] }),
    ...(context && { context: context.map((word) => word.toLowerCase()) }),
    examples,
    counterExamples,
  }
}

/** Reads the default export of a module: a recogniser or a list of them. */
const fromModule = async (path: string, directory: string): Promise<Recognizer[]> => {
  const file = resolve(directory, path)
  if (!existsSync(file)) throw new Error(`${path}: there is no such file`)
  const module = (await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new Error(`${path}: ${messageOf(error)}`, { cause: error })
  })) as { default?: unknown }
  return [module.default].flat().map((value) => {
    const problem = problemIn(value)
    if (problem === undefined) return value as Recognizer
    throw new Error(`${path}: its default export is neither a recogniser nor a list of recognisers: ${problem}`)
  })
}

/** Describes the first field of a recogniser that is missing or wrong. */
const problemIn = (value: unknown): string | undefined => {
  if (!isRecord(value)) return 'it must be an object with entity, patterns, examples and counterExamples'
  const invalidField = Object.entries(fields).find(([name, { is }]) => !is(value[name]))
  return invalidField && `its ${invalidField[0]} must be ${invalidField[1].what}`
}

type Predicate = (value: unknown) => boolean

const isStringArray: Predicate = (value) => Array.isArray(value) && value.every((one) => typeof one === 'string')

const isFunction: Predicate = (value) => typeof value === 'function'

const optional =
  (is: Predicate): Predicate =>
  (value) =>
    value === undefined || is(value)

const isPattern: Predicate = (value) =>
  isRecord(value) &&
  value.regex instanceof RegExp &&
  typeof value.score === 'number' &&
  optional(isFunction)(value.within)

const fields: Readonly<Record<string, { readonly what: string; readonly is: Predicate }>> = {
  entity: {
    what: 'a name in capitals, such as "PLATE"',
    is: (value) => typeof value === 'string' && new RegExp(entityName, 'u').test(value),
  },
  patterns: { what: 'a list of { regex, score }', is: (value) => Array.isArray(value) && value.every(isPattern) },
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
    throw new Error(`recogniser ${entity}: ${messageOf(error)}`, { cause: error })
  }
}
