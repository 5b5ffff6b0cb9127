/** What a toxicity detector finds, as OpenAI's categories. */

import type { Inspection } from '@sallyport/core'

/** In OpenAI's order. The name before a slash is the parent category. */
export const moderationCategories = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
] as const

type Category = (typeof moderationCategories)[number]

/** For detectors that name no category: rude speech is what such detectors are mostly trained on. */
const fallbackCategory: Category = 'harassment'

/**
 * A score per category. The highest is the score of the text, so that it decides as the chain does. A finding that is
 * named like a category scores there, and in the parent category. The score of the text itself goes to the category
 * with the highest score, else to harassment.
 */
export const categoryScores = (inspections: readonly Inspection[]): Record<Category, number> => {
  const scores = Object.fromEntries(moderationCategories.map((name) => [name, 0])) as Record<Category, number>
  for (const inspection of inspections)
    for (const [name, score] of scoresOf(inspection)) scores[name] = Math.max(scores[name], score)
  return scores
}

const scoresOf = ({ findings, score: whole }: Inspection): Map<Category, number> => {
  const scores = new Map<Category, number>()
  for (const { type, score } of findings)
    for (const name of categoriesOf(type)) scores.set(name, Math.max(scores.get(name) ?? 0, Math.min(score, whole)))
  const [highest = fallbackCategory] = [...scores.keys()].sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0))
  return scores.set(highest, whole)
}

const categoriesOf = (type: string): Category[] => {
  const name = type.toLowerCase()
  return moderationCategories.filter((category) => category === name || name.startsWith(`${category}/`))
}
