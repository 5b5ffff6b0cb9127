/** What is called after people and places, who are not meant. Sources of patterns, in lower case. */

import { either } from '../../patterns/either-case.js'

/** Behind a name: `Noether’s theorem`, `the Gibbs paradox`. No verbs. */
export const science =
  'algorithms?|axioms?|coefficients?|comet|conjectures?|constants?|criterion|cycle|duality|equations?|equilibrium|hierarchy|hypothesis|inequalit(?:y|ies)|kinetics|laws?|lemmas?|manifold|paradox|polynomials?|postulates?|principles?|razor|sieve|theorems?|transform|triangle|wager'

export const illness =
  'anomaly|bacillus|chorea|contracture|disease|fever|gland|lymphoma|palsy|phenomenon|reflex|sarcoma|syndrome|tendon|thyroiditis|tumou?r'

/** Behind a name that a model finds: nobody is meant, though what somebody has may be called so, too. */
export const adjunct =
  'act|amendment|amplifier|analysis|architecture|automaton|axel|band|bands|belt|camera|catheter|chains?|cipher|clause|classifier|cod(?:e|ing)|compression|converter|convention|counter|curve|diagram|diet|differential|diode|distance|distribution|doctrine|drill|effect|encoding|engine|estimator|exam|expansion|exponent|fallacy|filter|flop|formula|fractal|function|graph|grip|heap|heuristic|index|integral|IRA|jeans|jersey|kernel|knot|lamp|lattice|lens|loop|machine|manoeuvre|maneuver|matrix|method|metric|model|motor|normal form|notation|numbers|operator|optimi[sz]ation|pattern|penalty|plan|plot|procedure|process|property|ratio|reactions?|recursion|regression|rule|sampling|sandals|scale|scheme|score|search|sequence|series|shoes|shuffle|sign|smoothing|spiral|stain|statistics?|substitution|sum|surface|symbol|syrup|telescope|tests?|transition|trees?|virus|warning'

/** Behind a name that a model finds: `Caesar salad`. */
export const food =
  'apples?|beans?|beer|bread|cake|cheese|chicken|chocolate|coffee|ham|mustard|oil|pie|pizza|potato(?:es)?|pudding|rice|roast|roll|salads?|sandwich|sauce|sausages?|soup|sponge|steak|stew|tea|tomato(?:es)?|vinegar|wine'

const statute = 'act|amendment|clause|doctrine|plan|treaty|warning'

const dish = 'cake|mustard|salads?|sauce|sausages?|schnitzel|soup|torte'

/** What names nobody by itself. */
export const isThing = (word: string): boolean => thing.test(word)

/** Before a name, with what joins them: `teorema di Ceva`. */
const theorems =
  'algorithme|algorithmus|algoritm[eo]|theorem[ae]?|teorema|théorème|lemm[ae]|lemme|conjecture|conjetura|congettura|ecuación|equação|equazione|equation|équation|gleichung|vergelijking|inégalité|disuguaglianza|ungleichung|lei|leis|ley|leyes|loi|lois|legge|leggi|gesetz|laws?|wet|stelling|constante|costante|konstante|paradoja|paradosso|paradoxe|paradoxon|paradox|síndrome|sindrome|syndrom|syndrome|transformada|transformée|trasformata'
const thing = new RegExp(`^(?:${science}|${theorems})$`, 'u')
const joining = String.raw`(?:d[eiou]|del|della|von|des|van|of|nach)`

/** Whether known or not, a name is nobody's behind it. */
export const theoremBefore = String.raw`(?<![\p{L}\p{N}])(?:${either(theorems)}) ${joining} `

/** A name that nobody is known by is nobody's behind it. */
export const thingBefore = String.raw`(?<![\p{L}\p{N}])(?:${either('ciclo|cycle|zyklus|cyclus|satz|principe|principio|princípio|prinzip|principle|effet|efecto|effetto|efeito|effekt|effect|doença|enfermedad|maladie|malattia|krankheit|ziekte|regla|règle|regola|regel|rule|serie|série|reihe|method|método|metodo|méthode')}) ${joining} |(?<![\p{L}\p{N}])[Mm]orbus `

/** Before a name: `Eggs Benedict`, `Pêche Melba`. */
export const dishBefore = String.raw`(?<![\p{L}\p{N}])(?:${either('beef|bananas?|chicken|coq|crêpes?|eggs?|filet|lobster|mousse|oysters?|peach|pears?|pêche|pizza|poire|salade|sauce|sole|spaghetti|steak|tarte|tournedos|veal')}) (?:(?:à la|alla|alle) )?`

const adjective = String.raw`(?:[\p{L}-]{1,20} )?`

/** Behind a name that is known: it names nobody there. */
export const thingBehind = String.raw`(?:(?:[- ]|['’]s? ${adjective})(?:${science})|[ -](?:effect|${illness}|${statute}|${dish}))(?![\p{L}\p{N}])`
