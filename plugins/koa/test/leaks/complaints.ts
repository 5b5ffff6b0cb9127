/** What is wrong with what came of something that was said. */

import { replacement, replacementInHtml } from './detectors.js'
import type { WalkedPolicy } from './policies.js'
import { readBy } from './route-walk.js'
import type { Outcome, RouteWalk, Saying } from './route-walk.js'
import { holdsPart, holdsSecret, plain } from './secret.js'
import { showSteps } from './leaves.js'
import type { Answer } from './stage.js'

/** What nobody may see, whatever is checked. */
export const exposures = ({ answer, heard }: Outcome): string[] => [
  ...(holdsSecret(answer.headers) ? ['a header holds it'] : []),
  ...(heard.error !== undefined && holdsPart(heard.error) ? [`an error text holds it: ${heard.error}`] : []),
  ...heard.said
    .filter(({ declared }) => declared === undefined)
    .map(({ path, text }) => `${showSteps(path)} is in no schema, or not declared there: ${text.slice(0, 80)}`),
]

/** What got past a policy. */
export const leaks = (walk: RouteWalk, policy: WalkedPolicy, saying: Saying, { answer, heard }: Outcome): string[] => {
  if (walk.isBeyond) return []
  const texts = heard.said.filter(({ declared }) => declared === 'text')
  const shown = isKeptFromModels(walk, policy, answer) ? readBy(answer.scene.shown) : []
  const holds = saying.spelling.unbroken && policy.check !== 'pii' ? holdsSecret : holdsPart
  return [
    ...(holdsSecret(answer.body) ? [`the body holds it: ${excerpt(answer.body)}`] : []),
    ...texts.filter(({ text }) => holds(text)).map(({ key, text }) => `${key} holds some of it: ${excerpt(text)}`),
    ...shown.filter(holdsPart).map((text) => `a model was shown it: ${excerpt(text)}`),
  ]
}

/** Attacks are looked for while a model already reads, where its answer can be held back. */
const isKeptFromModels = (walk: RouteWalk, { stage, check }: WalkedPolicy, { scene }: Answer): boolean =>
  stage === 'input' && (check === 'pii' || walk.called(scene).every(({ kind }) => kind === 'call'))

const hasReplacement = (text: string): boolean => text.includes(replacement) || text.includes(replacementInHtml)

const excerpt = (text: string): string => text.slice(0, 400)

/** Where it is said as it is, a policy must have noticed it, or the walk proves nothing. */
export const misses = (walk: RouteWalk, policy: WalkedPolicy, saying: Saying, { answer, heard }: Outcome): string[] => {
  const { spelling, isHeard, script } = saying
  if (spelling !== plain || walk.isBeyond || walk.isDropped(script?.place)) return []
  if (policy.stage === 'output' && !isHeard) return []
  const outcome = `${answer.status} ${excerpt(answer.body)}`
  if (policy.verdict !== undefined)
    return heard.error?.includes(policy.verdict) ? [] : [`it was not blocked: ${outcome}`]
  const isReplaced =
    heard.error === undefined && (!isHeard || [answer.body, ...heard.said.map(({ text }) => text)].some(hasReplacement))
  return isReplaced ? [] : [`it was not replaced: ${outcome}`]
}
