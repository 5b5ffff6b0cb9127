import { injection } from '@sallyport/checks'
import { mapBounded } from '@sallyport/kit/async'
import { optionsOfItsOwn } from '../body/misplaced.js'
import { wireScore } from '../dialects/numbers.js'
import { json } from '../routes/answer.js'
import { post } from '../routes/body-routes.js'
import type { Route } from '../routes/route.js'
import { oneOrManyTexts } from '../routes/schemas/common.js'
import { injectionChecks } from './schemas.js'
import { wireFindings } from '../routes/checks/wire-findings.js'
import { inspectionsAtOnce } from '../routes/checks/inspections-at-once.js'

interface InjectionBody {
  prompt: string | string[]
  detect: boolean
}

export const injectionRoute: Route = post<InjectionBody>({
  path: '/injection',
  dialects: ['specification'],
  capability: injection.name,
  tag: 'Safety',
  summary: 'Tell prompts that try to override instructions',
  request: ({ inputs }) => ({
    type: 'object',
    required: ['prompt', 'detect'],
    properties: { prompt: oneOrManyTexts(inputs), detect: { type: 'boolean' } },
  }),
  response: injectionChecks,
  safeguards: optionsOfItsOwn(),
  fields: { text: 'prompt' },
  handle: async ({ prompt, detect }, exchange) => {
    exchange.detectors(injection.name)
    const check = async (text: string, index: number) => {
      if (!detect) return { index, status: 'skipped' }
      const { score, explanation, findings } = await exchange.inspect(injection.name, text, { origin: 'user' })
      const told = { probability: wireScore(score), explanation, findings: wireFindings(text, findings) }
      return { index, ...told, status: 'success' }
    }
    const checks = await mapBounded([prompt].flat(), inspectionsAtOnce, check)
    return json({ ...exchange.envelope('injection', 'injection_check'), checks })
  },
})
