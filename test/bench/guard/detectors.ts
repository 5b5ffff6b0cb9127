/** The detectors, in a process that tells what each of them costs. */

import { createKernel } from '@sallyport/kernel'
import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import { answerQuestions } from '../adapter/worker.js'
import { treeResources } from '../servers/process-tree.js'
import { prose } from './prose.js'

export type DetectorName = keyof typeof detectors

export interface DetectorQuestion {
  readonly detector: DetectorName
  readonly texts: number
}

const kernel = await createKernel({
  plugins: ['@sallyport/onnx', '@sallyport/pii', '@sallyport/guards'],
  models: {
    guard: { backend: 'onnx', options: { threads: 1 } },
    rampart: { backend: 'onnx', options: { threads: 1 } },
    patterns: { backend: 'pii' },
    names: { backend: 'pii', options: { model: 'rampart' } },
    'by-rules': { backend: 'injection' },
    'by-model': { backend: 'injection', options: { model: 'guard' } },
    toxicity: { backend: 'toxicity' },
    factuality: { backend: 'factuality' },
  },
  log: { level: 'silent' },
})

const texts = prose(1000)
const reference = prose(2000)[0] ?? ''

const detectors = {
  'pii-patterns': (text: string) => kernel.get(pii, 'patterns').inspect({ text }),
  'pii-model': (text: string) => kernel.get(pii, 'names').inspect({ text }),
  'injection-rules': (text: string) => kernel.get(injection, 'by-rules').inspect({ text }),
  'injection-model': (text: string) => kernel.get(injection, 'by-model').inspect({ text }),
  toxicity: (text: string) => kernel.get(toxicity, 'toxicity').inspect({ text }),
  factuality: (text: string) => kernel.get(factuality, 'factuality').inspect({ text, reference }),
} as const

/** Of this process and the models' processes. */
const processorTime = (): number => {
  const { server, children } = treeResources(process.pid)
  return server.cpu + children.cpu
}

/** Milliseconds of processor time per text of 1,000 characters. */
answerQuestions(async ({ detector, texts: count }: DetectorQuestion): Promise<number[]> => {
  const before = processorTime()
  for (let at = 0; at < count; at += 1) await detectors[detector](texts[at % texts.length] ?? '')
  return [(processorTime() - before) / count]
})
