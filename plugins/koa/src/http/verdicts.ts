import type { Verdict } from '@sallyport/core'

/** From the mildest to the gravest: of several decisions of one check the gravest is shown. */
const order: readonly Verdict['verdict'][] = ['pass', 'replace', 'block', 'unavailable']

const graver = (a: Verdict, b: Verdict) => (order.indexOf(b.verdict) > order.indexOf(a.verdict) ? b : a)

/** `pii=replace,toxicity=pass`; what a check in shadow mode would have done reads `shadow-block`. */
export const safeguardsHeader = (verdicts: readonly Verdict[]): string | undefined => {
  const gravest = new Map<string, Verdict>()
  for (const verdict of verdicts) {
    const key = `${verdict.check} ${verdict.mode}`
    const known = gravest.get(key)
    gravest.set(key, known ? graver(known, verdict) : verdict)
  }
  if (!gravest.size) return undefined
  return [...gravest.values()]
    .map(({ check, mode, verdict }) => `${check}=${mode === 'shadow' ? 'shadow-' : ''}${verdict}`)
    .join(',')
}
