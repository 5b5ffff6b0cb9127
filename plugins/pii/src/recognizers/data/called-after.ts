/** What is called after people and places, who are not meant. Sources of patterns, in lower case. */

/** Behind a name: `Noether’s theorem`, `the Gibbs paradox`. No verbs. */
export const science =
  'algorithms?|axioms?|coefficients?|comet|conjectures?|constants?|criterion|cycle|duality|equations?|equilibrium|hierarchy|hypothesis|inequalit(?:y|ies)|kinetics|laws?|lemmas?|manifold|paradox|polynomials?|postulates?|principles?|razor|sieve|theorems?|transform|triangle|wager'

export const illness =
  'anomaly|bacillus|chorea|contracture|disease|fever|gland|lymphoma|palsy|phenomenon|reflex|sarcoma|syndrome|tendon|thyroiditis|tumou?r'

const statute = 'act|amendment|clause|doctrine|plan|treaty|warning'

const dish = 'cake|mustard|salads?|sauce|sausages?|schnitzel|soup|torte'

/** With or without a capital. */
export const either = (words: string): string =>
  words.replace(/(?<![^|])\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`)

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
