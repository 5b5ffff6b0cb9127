import { injection } from '@sallyport/checks'
import { inspectionsAtOnce } from '@sallyport/guard'
import { mapBounded } from '@sallyport/kit/async'
import { optionsOfItsOwn } from '../../body/misplaced.js'
import { wireScore } from '../../dialects/numbers.js'
import { json } from '../answer.js'
import { post } from '../body-routes.js'
import type { Route } from '../route.js'
import { oneOrManyTexts } from '../schemas/common.js'
import { inspectWith } from './ask-detector.js'
import { injectionChecks } from './schemas.js'
import { wireFindings } from './wire-findings.js'

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
    const { service } = exchange.choose(injection)
    const check = async (text: string, index: number) => {
      if (!detect) return { index, status: 'skipped' }
      const request = { text, origin: 'user' } as const
      const { score, explanation, findings } = await inspectWith(injection, service, request, exchange)
      const told = { probability: wireScore(score), explanation, findings: wireFindings(text, findings) }
      return { index, ...told, status: 'success' }
    }
    const checks = await mapBounded([prompt].flat(), inspectionsAtOnce, check)
    return json({ ...exchange.envelope('injection', 'injection_check'), checks })
  },
})
