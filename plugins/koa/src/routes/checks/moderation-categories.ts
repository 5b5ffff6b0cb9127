/** What a toxicity detector finds, as OpenAI's categories. */

import type { Inspection } from '@sallyport/core'

/** In OpenAI's order. What stands before a slash is the category of which the whole is a part. */
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

/** Of a detector that names no category: rude speech is what such detectors are mostly trained on. */
const fallbackCategory: Category = 'harassment'

/**
 * A score per category, such that the highest is the score of the text, and so decides what the chain decides. Findings
 * named like a category score there, and in the category that it is a part of. A score for which no finding gives a
 * reason goes to the category that was found most, else to harassment.
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
  const [most = fallbackCategory] = [...scores.keys()].sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0))
  return scores.set(most, whole)
}

const categoriesOf = (type: string): Category[] => {
  const name = type.toLowerCase()
  return moderationCategories.filter((category) => category === name || name.startsWith(`${category}/`))
}
