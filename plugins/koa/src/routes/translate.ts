import { failure, loggable, translation } from '@sallyport/core'
import { noSafeguards } from '../safeguards/placement.js'
import type { BodyOf } from '../schemas/schema.js'
import { wireScore } from '../dialects/values.js'
import { json } from './answer.js'
import type { Answer } from './answer.js'
import type { Exchange } from './exchange.js'
import { language, requireLanguage } from './languages.js'
import { post } from './body-routes.js'
import type { Route } from './route.js'
import { objectOf, envelopeFields, listOf, nonEmptyText, opaque, score, text } from '../schemas/common.js'

const nonEmptyLanguage = { ...language, minLength: 1 } as const
const request = objectOf({ text: nonEmptyText, source_lang: nonEmptyLanguage, target_lang: nonEmptyLanguage })
const translationModel = opaque('the id of a translation model')

const response = objectOf({
  ...envelopeFields('translation', false),
  response: objectOf({ 'Best translation': text, Score: score }),
  best_translation: text,
  best_score: score,
  best_translation_model: translationModel,
  translations: listOf(
    objectOf({
      translation: text,
      score,
      model: translationModel,
      status: { type: 'string', enum: ['success', 'vetoed', 'failed'] },
    }),
  ),
})

const handle = async (body: BodyOf<typeof request>, exchange: Exchange): Promise<Answer> => {
  const { service } = exchange.choose(translation)
  const given = {
    text: body.text,
    source: requireLanguage(body.source_lang, 'source_lang'),
    target: requireLanguage(body.target_lang, 'target_lang'),
  }
  const { candidates } = await service.translate(given, exchange.callOptions())
  const [best] = candidates
  if (!best) throw failure('internal', {}, { cause: loggable(new Error('the translation has no candidate')) })
  return json({
    ...exchange.envelope('translation', 'translation'),
    response: { 'Best translation': best.translation, Score: wireScore(best.score) },
    best_translation: best.translation,
    best_score: wireScore(best.score),
    best_translation_model: best.model,
    translations: candidates.map((candidate) => ({
      translation: candidate.translation,
      score: wireScore(candidate.score),
      model: candidate.model,
      status: candidate.status,
    })),
  })
}

export const translateRoute: Route = post({
  path: '/translate',
  dialects: ['specification'],
  capability: translation.name,
  tag: 'Translation',
  summary: 'Translate a text',
  request: () => request,
  response,
  safeguards: noSafeguards,
  fields: { source: 'source_lang', target: 'target_lang' },
  handle,
})
