/** Where the texts of `sallyport guard` are from, with a detector that writes down what it is told of that. */

import { readFileSync, rmSync } from 'node:fs'
import { expect } from 'chai'
import { isSallyportError } from '@sallyport/core'
import type { CommandDefinition } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { calibrateCommand } from '../src/guard/calibrate.js'
import { evalCommand } from '../src/guard/evaluate.js'
import { tryCommand } from '../src/guard/try.js'
import { tuneCommand } from '../src/guard/tune.js'
import { createLogger } from '../src/logging.js'

describe('the origin of texts', function () {
  this.timeout(20_000)
  const directory = useTemporaryDirectory()
  directory.write(
    'origins.mjs',
    `import { appendFileSync } from 'node:fs'
    import { definePlugin, provide, scoreCheck } from '@sallyport/core'
    const capability = scoreCheck('origins', { stages: { input: 'Looks.' }, order: 10, message: 'found' })
    const options = { type: 'object', properties: {
      calibration: { type: 'object', default: { scale: 1, offset: 0 }, additionalProperties: { type: 'number' } },
    } }
    class Origins {
      load = async () => ({ provides: [provide(capability, { inspect: async ({ text, origin = 'unknown' }) => {
        appendFileSync(new URL('seen.txt', import.meta.url), text + ' ' + origin + '\\n')
        const score = text === 'bad' ? 0.9 : 0.1
        return { findings: [], score, explanation: '', detector: 'origins', latency: 0 }
      } })] })
    }
    const backend = { description: 'x', capabilities: [capability], class: Origins, files: 'none', options }
    export default definePlugin({ name: 'origins', backends: { origins: backend } })`,
  )
  const models = { counter: { backend: 'origins' } }
  const config = directory.write('origins.json', JSON.stringify({ plugins: ['./origins.mjs'], models }))
  const logger = createLogger({ level: 'warn', format: 'auto', exceptions: 'frames' })
  const defaults = { config, falseAlarms: '0.01', rate: '1' }

  /** What the detector was told, each once. */
  const seenBy = async (command: CommandDefinition, argument: string, options: object): Promise<string[]> => {
    const context = { options: {}, home: directory.path, logger, print: () => undefined }
    const seen = directory.write('seen.txt', '')
    await command.run?.({ arguments: [argument], options: { ...defaults, ...options } }, context)
    const lines = readFileSync(seen, 'utf8').trim().split('\n')
    rmSync(seen)
    return [...new Set(lines)].sort()
  }

  const labelled = [
    { text: 'bad', label: 1, origin: 'tool' },
    { text: 'fine', label: 0 },
  ]
  const write = (rows: readonly object[], name = 'rows.jsonl') =>
    directory.write(name, rows.map((row) => JSON.stringify(row)).join('\n'))
  const ways: [name: string, command: CommandDefinition, argument: () => string, known: string][] = [
    ['guard try', tryCommand, () => 'fine', 'fine document'],
    ['guard eval', evalCommand, () => write(labelled), 'bad tool, fine document'],
    ['guard calibrate', calibrateCommand, () => write(labelled), 'bad tool, fine document'],
    [
      'guard tune',
      tuneCommand,
      () => write([{ text: 'fine' }, { text: 'good', origin: 'user' }]),
      'fine document, good user',
    ],
    ['guard tune with lines of text', tuneCommand, () => directory.write('mine.txt', 'fine\n'), 'fine document'],
  ]
  for (const [name, command, argument, known] of ways) {
    it(`reaches the detectors of ${name}, that of a row before the option`, async () => {
      expect((await seenBy(command, argument(), { origin: 'document' })).join(', ')).to.equal(known)
    })

    it(`stays unknown to ${name} where nothing says it`, async () => {
      expect((await seenBy(command, argument(), {})).join(', ')).to.equal(known.replace('document', 'unknown'))
    })

    it(`is an option of ${name}`, () => {
      expect(command.options?.map(({ flags }) => flags)).to.include('--origin <origin>')
    })
  }

  const allowed = 'user, system, document, tool or model'
  const mistakes: [name: string, command: CommandDefinition, rows: readonly object[], origin: string, text: string][] =
    [
      ['of the option', evalCommand, labelled, 'mail', `--origin: must be ${allowed}`],
      ['of guard try', tryCommand, [], 'Document', `--origin: must be ${allowed}`],
      [
        'of a row',
        evalCommand,
        [labelled[1]!, { text: 'bad', label: 1, origin: 'web' }],
        'tool',
        `rows.jsonl:2: must have an "origin" that is ${allowed}, or none`,
      ],
      [
        'of a harmless text',
        tuneCommand,
        [{ text: 'fine', origin: 7 }],
        'tool',
        `rows.jsonl:1: must have an "origin" that is ${allowed}, or none`,
      ],
    ]
  for (const [name, command, rows, origin, text] of mistakes)
    it(`is refused where it is unknown: ${name}`, async () => {
      const error: unknown = await seenBy(command, write(rows), { origin }).catch((thrown: unknown) => thrown)
      expect(isSallyportError(error) && error.code).to.equal('invalid_request')
      expect((error as Error).message).to.contain(text)
    })
})
