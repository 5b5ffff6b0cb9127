/** The command line. */

import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { sections } from './figures.js'
import type { SectionName } from './figures.js'

export interface BenchOptions {
  readonly only: readonly SectionName[]
  /** How often everything is measured. */
  readonly rounds: number
  /** Catalogue ids, references or paths of GGUF files. */
  readonly models: readonly string[]
  /** Numbers of threads that both servers are tried with. */
  readonly threads: readonly number[]
  /** Numbers of simultaneous clients. */
  readonly clients: readonly number[]
  /** Tokens of each answer. */
  readonly maxTokens: number
  readonly llamaServer: string | undefined
  /** Where the figures are saved. */
  readonly output: string
  /** Catalogue id or reference of an ONNX model of text vectors. */
  readonly embeddingModel: string
  /** Texts to serve while memory is watched; 0: it is not. */
  readonly texts: number
  /** Seconds that each rate of requests is kept up. */
  readonly seconds: number
}

export const usage = `npm run bench -- [options]

  --only SECTION,…     ${sections.join(', ')} (default: all)
  --model MODEL        catalogue id, reference or path of a GGUF file; repeatable (default: smollm2-135m-instruct)
  --embedding-model M  catalogue id or reference of an ONNX model of vectors (default: all-minilm-l6-v2)
  --llama-server PATH  llama.cpp's server to compare with (default: the one on the PATH, if any)
  --threads N,…        thread settings to try; the best is used (default: half of the cores, and all)
  --clients N,…        simultaneous clients (default: 1,4,8)
  --max-tokens N       tokens of each answer (default: 128)
  --texts N            texts to serve while memory is watched (default: 100000)
  --rounds N           how often everything is measured (default: 5)
  --quick              one look: 2 rounds, short answers, no watch of memory
  --output FILE        where the figures are saved (default: bench-results/<date>.json)
  --help`

/** Undefined when help was asked for. @throws TypeError, RangeError with what is wrong */
export const parseOptions = (argv: readonly string[], now = new Date()): BenchOptions | undefined => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      model: { type: 'string', multiple: true, default: ['smollm2-135m-instruct'] },
      'embedding-model': { type: 'string', default: 'all-minilm-l6-v2' },
      'llama-server': { type: 'string' },
      threads: { type: 'string' },
      clients: { type: 'string', default: '1,4,8' },
      'max-tokens': { type: 'string' },
      texts: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      output: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const { quick } = values
  return {
    only: values.only.length > 0 ? values.only.flatMap((list) => list.split(',')).map(sectionName) : sections,
    rounds: wholeNumber('--rounds', values.rounds ?? (quick ? '2' : '5')),
    models: values.model,
    threads:
      values.threads === undefined ? halfAndAll(availableParallelism()) : wholeNumbers('--threads', values.threads),
    clients: wholeNumbers('--clients', values.clients),
    maxTokens: wholeNumber('--max-tokens', values['max-tokens'] ?? (quick ? '48' : '128')),
    llamaServer: values['llama-server'],
    output: values.output ?? `bench-results/${now.toISOString().slice(0, 19).replaceAll(':', '-')}.json`,
    embeddingModel: values['embedding-model'],
    texts: values.texts === undefined && quick ? 0 : wholeNumber('--texts', values.texts ?? '100000'),
    seconds: quick ? 1 : 4,
  }
}

const halfAndAll = (cores: number): number[] => [...new Set([Math.ceil(cores / 2), cores])]

const sectionName = (name: string): SectionName => {
  const section = sections.find((known) => known === name.trim())
  if (!section) throw new RangeError(`--only ${name}: there are ${sections.join(', ')}`)
  return section
}

const wholeNumber = (flag: string, text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new RangeError(`${flag} ${text}: give a whole number above 0`)
  return Number(text)
}

const wholeNumbers = (flag: string, list: string): number[] =>
  list.split(',').map((text) => wholeNumber(flag, text.trim()))
