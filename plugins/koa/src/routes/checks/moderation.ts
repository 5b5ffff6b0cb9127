/** The toxicity check as OpenAI's moderation object. */

import { failure } from '@sallyport/core'
import { toxicity } from '@sallyport/checks'
import { checkOwnOptions } from '../../safeguards/placement.js'
import type { BodyOf, Schema } from '../../schemas/schema.js'
import { newId, wireScore } from '../../dialects/values.js'
import type { Limits } from '../../options.js'
import { json } from '../answer.js'
import type { Answer } from '../answer.js'
import type { Exchange } from '../exchange.js'
import { post } from '../body-routes.js'
import type { Route } from '../route.js'
import { objectOf, listOf, modelName, nonEmptyText, opaque, score, servedModel } from '../../schemas/common.js'
import { detectorsOf, inspectEach } from './inspect.js'
import { categoryScores, moderationCategories } from './moderation-categories.js'
import { invalidField } from '../../invalid-field.js'

const request = ({ inputs }: Limits) =>
  ({
    type: 'object',
    required: ['input'],
    properties: {
      input: {
        ...nonEmptyText,
        type: ['string', 'array'],
        minItems: 1,
        maxItems: inputs,
        items: {
          ...nonEmptyText,
          type: ['string', 'object'],
          required: ['type'],
          properties: { type: { type: 'string', enum: ['text', 'image_url'] }, text: nonEmptyText },
          'x-allowed': 'a non-empty string or a part {"type": "text", "text": …}',
        },
        'x-allowed': `a non-empty string, an array of 1 to ${inputs} non-empty strings, or an array of text parts (one input)`,
      },
      model: {
        ...modelName,
        description:
          "id or alias of a detector; absent, or one of OpenAI's model names: the detectors configured for callers",
        'x-allowed': 'the name of a detector (a string of 1 to 256 characters)',
        'x-empty-is-absent': true,
      },
    },
  }) as const

type ModerationBody = BodyOf<ReturnType<typeof request>>
type PartBody = Exclude<Exclude<ModerationBody['input'], string>[number], string>

const perCategory = (schema: Schema): Schema =>
  objectOf(Object.fromEntries(moderationCategories.map((name) => [name, schema])))

const response = objectOf({
  id: opaque('made by the server'),
  model: servedModel,
  results: listOf(
    objectOf({
      flagged: {
        type: 'boolean',
        description: 'whether the check that callers ask for would block it; policies may have other thresholds',
      },
      categories: perCategory({ type: 'boolean' }),
      category_scores: perCategory(score),
      category_applied_input_types: perCategory(listOf({ type: 'string', enum: ['text'] })),
    }),
  ),
})

/** The texts of each input. Text parts are inspected one by one and together, as in a message. */
const textsOf = (input: ModerationBody['input']): string[][] => {
  if (typeof input === 'string') return [[input]]
  const strings = input.filter((item) => typeof item === 'string')
  if (strings.length === input.length) return strings.map((text) => [text])
  if (strings.length) throw invalidField('input', 'must not mix strings and parts')
  const parts = input.map((part, index) => textOf(part as PartBody, `input[${index}]`))
  return [[...new Set([...parts, parts.join('')])]]
}

const textOf = ({ type, text }: PartBody, path: string): string => {
  if (type === 'image_url')
    throw failure('unsupported', { field: path, problem: 'images cannot be moderated here: send text' })
  if (text !== undefined) return text
  throw invalidField(`${path}.text`, 'is required: give a non-empty string')
}

/** Matches the models of OpenAI, which clients send by default. */
const openAiModel = /^(?:omni|text)-moderation-[\w.-]+$/

/** The named detector; undefined for one of OpenAI's names that no model has. */
const namedDetector = (model: string | undefined, { kernel }: Exchange['context']): string | undefined =>
  model !== undefined && openAiModel.test(model) && !kernel.describe(toxicity, model) ? undefined : model

/** Every category is about text, and only text is inspected. */
const appliedTypes = Object.fromEntries(moderationCategories.map((name) => [name, ['text']]))

const handle = async ({ input, model }: ModerationBody, exchange: Exchange): Promise<Answer> => {
  const inputs = textsOf(input)
  const named = namedDetector(model, exchange.context)
  const detectors = detectorsOf(exchange, toxicity.name, named)
  const options = { origin: 'user', ...(named === undefined ? {} : { model: detectors[0].id }) } as const
  const { threshold = 0.5 } = exchange.context.kernel.checks.get(toxicity.name) ?? {}
  const reaches = (score: number) => !(score < threshold)
  const inspections = await inspectEach(exchange, toxicity.name, inputs.flat(), options, (inspected) => inspected)
  let from = 0
  const results = inputs.map(({ length }) => {
    const scores = categoryScores(inspections.slice(from, (from += length)))
    const entries = moderationCategories.map((name) => [name, scores[name]] as const)
    return {
      flagged: entries.some(([, score]) => reaches(score)),
      categories: Object.fromEntries(entries.map(([name, score]) => [name, reaches(score)])),
      category_scores: Object.fromEntries(entries.map(([name, score]) => [name, wireScore(score)])),
      category_applied_input_types: appliedTypes,
    }
  })
  return json({ id: newId('modr'), model: detectors.map((detector) => detector.id).join('+'), results })
}

export const moderationRoute: Route = post({
  path: '/moderations',
  dialects: ['openai'],
  capability: toxicity.name,
  tag: 'Safety',
  summary: 'Classify toxic text by category',
  request,
  response,
  safeguards: checkOwnOptions(),
  fields: { text: 'input' },
  handle,
})
