import type { Family } from '../rules/family.js'

interface Outcome {
  readonly score: number
  readonly families: ReadonlySet<Family>
  /** Whether what decided was hidden in the text. */
  readonly hidden: boolean
  readonly document: boolean
}

/** For a person; quotes nothing of the text. */
export const explanationOf = ({ score, families, hidden, document }: Outcome): string => {
  const reasons = [...new Set([...families].map(({ explanation }) => explanation))]
  const what = document ? 'an order planted in a document' : 'an attack on what the model was told to do'
  if (score < 0.5) return reasons.length ? `no attack, though it ${listed(reasons)}` : 'no attack found'
  const how = hidden ? ', hidden by its spelling or encoding' : ''
  return reasons.length
    ? `${what}${how}: it ${listed(reasons)}`
    : `${what}${how}: its wording is like that of known ones`
}

const listed = (reasons: readonly string[]): string =>
  reasons.length > 1 ? `${reasons.slice(0, -1).join(', ')} and ${reasons.at(-1) ?? ''}` : (reasons[0] ?? '')
