import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isRecord } from '@sallyport/core'
import { checksums } from '../checksums/index.js'
import { compileRecognizer } from '../matching/compiled.js'
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
 * The recognisers of a configuration, and of the modules that it names.
 * @param accept what is made of each. @throws for one that is not sound
 * @throws RecognizerProblem
 */
export const customRecognizers = async (
  entries: readonly (CustomRecognizer | string)[],
  directory: string,
  accept: (recognizer: Recognizer) => Recognizer = checked,
): Promise<Recognizer[]> => {
  const found: Recognizer[] = []
  for (const [index, entry] of entries.entries())
    try {
      const own = typeof entry === 'string' ? await fromModule(entry, directory) : [fromEntry(entry)]
      found.push(...own.map(accept))
    } catch (error) {
      throw new RecognizerProblem(index, error)
    }
  return found
}

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
  const { default: exported } = (await import(pathToFileURL(file).href)) as { default?: unknown }
  const list = Array.isArray(exported) ? exported : [exported]
  if (!list.every(isRecognizer)) throw new Error(`${path}: its default export is no recogniser and no list of them`)
  return list
}

const isRecognizer = (value: unknown): value is Recognizer =>
  isRecord(value) &&
  typeof value.entity === 'string' &&
  Array.isArray(value.patterns) &&
  value.patterns.every(
    (pattern) => isRecord(pattern) && pattern.regex instanceof RegExp && typeof pattern.score === 'number',
  ) &&
  Array.isArray(value.examples) &&
  Array.isArray(value.counterExamples)

const checked = (recognizer: Recognizer): Recognizer =>
  named(recognizer.entity, () => {
    for (const pattern of compileRecognizer(recognizer).patterns) checkTime(pattern)
    checkExamples(recognizer)
    return recognizer
  })

const named = <Result>(entity: string, work: () => Result): Result => {
  try {
    return work()
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new Error(`recogniser ${entity}: ${problem}`, { cause: error })
  }
}
