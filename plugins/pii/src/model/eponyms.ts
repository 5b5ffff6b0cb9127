/** Things that are called after a person or a place, who is not meant: `Dijkstra's algorithm`, `Caesar salad`. */

import type { ModelFinding } from './finding.js'
import { isKnownName } from './known-names.js'

const science =
  'algorithms?|axioms?|coefficient|comet|conjecture|constant|criterion|equations?|hierarchy|inequality|laws?|lemma|paradox|postulate|principle|razor|sieve|theorem|transform|triangle|wager'

const illness =
  'anomaly|bacillus|chorea|contracture|disease|fever|gland|lymphoma|palsy|phenomenon|reflex|sarcoma|syndrome|tendon|thyroiditis|tumou?r'

/** Nobody is meant by a name that stands before such a word; what somebody has may be called so, too. */
const adjunct =
  'act|amplifier|architecture|automaton|axel|band|bands|camera|catheter|chains?|cipher|classifier|cod(?:e|ing)|compression|converter|convention|counter|curve|diagram|diet|differential|diode|distance|distribution|doctrine|drill|effect|encoding|engine|estimator|exam|expansion|exponent|fallacy|filter|flop|formula|fractal|function|graph|grip|heap|heuristic|index|integral|IRA|jeans|jersey|kernel|knot|lamp|lattice|lens|loop|manifold|manoeuvre|maneuver|matrix|method|metric|model|motor|normal form|notation|numbers|operator|optimi[sz]ation|pattern|penalty|plot|polynomials?|procedure|process|property|ratio|recursion|regression|rule|sampling|sandals|scale|scheme|score|search|sequence|series|shoes|shuffle|sign|smoothing|spiral|stain|statistics?|substitution|sum|surface|symbol|syrup|telescope|tests?|transition|trees?|virus|warning'

const food =
  'apples?|beans?|beer|bread|cake|cheese|chicken|chocolate|coffee|ham|mustard|oil|pie|pizza|potato(?:es)?|pudding|rice|roast|roll|salads?|sandwich|sauce|sausages?|soup|sponge|steak|stew|tea|tomato(?:es)?|vinegar|wine'

/** Before a name. */
const dishes =
  'beef|bananas?|chicken|coq|crêpes?|eggs?|filet|lobster|mousse|oysters?|peach|pears?|pêche|pizza|salade|sauce|sole|spaghetti|steak|tarte|tournedos|veal'

const next = (lead: string, things: string) => new RegExp(String.raw`^${lead}(?:${things})(?![\p{L}\p{N}])`, 'iu')

const adjective = String.raw`(?:[\p{L}-]{1,20} )?`
const called = next('[- ]', `${science}|${illness}|${adjunct}`)
const owned = next(String.raw`['’]s? ${adjective}`, science)
const suffered = next("['’]s? ", illness)
const eaten = next('[- ]', food)
const dished = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${dishes}) (?:(?:à la|alla|alle) )?$`, 'iu')

/** Genus and species are Latin: `Escherichia coli`. */
const genus = /^\p{Lu}\p{Ll}{3,20}(?:a|us|um|o|is|es|er|ix)$/u
const species = /^ \p{Ll}{2,14}(?:us|is|um|ae|li|ii|ea|ens|ans)(?![\p{L}\p{N}])/u

/** Whether a person or place is one that something is called after. In a text where capitals mean something. */
export const isEponym = (text: string, { type, start, end }: ModelFinding): boolean => {
  const [name = '', thing, ...more] = text.slice(start, end).split(' ')
  // models count the thing to the name
  if (more.length > 0 || (thing !== undefined && !/^\p{Ll}/u.test(thing))) return false
  const after = text.slice(start + name.length, start + name.length + 48)
  if (eaten.test(after) || dished.test(text.slice(Math.max(0, start - 24), start))) return true
  if (type !== 'PERSON') return false
  const lower = name.toLowerCase()
  if (called.test(after) || owned.test(after)) return true
  return (suffered.test(after) || (genus.test(name) && species.test(after))) && !isKnownName(lower)
}
