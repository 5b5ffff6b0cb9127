/** UTF-16 units of a text that is a question about what it quotes, and of a quotation. */
const longest = 400
const longestQuotation = 120

/** One sentence in quotation marks: more could hold what goes on behind the question. */
const inside = `[^"“”«»„‘’'\`\\n.!?]{1,${longestQuotation}}[.!?]?`
const quotation = new RegExp(
  `"${inside}"|“${inside}”|«${inside}»|„${inside}[“”]|(?<![a-z])'${inside}'(?![a-z])|‘${inside}’`,
  'giu',
)

/** How such a question begins. */
const opening =
  /^(?:please |can you (?:please )?|could you (?:please )?)?(?:what (?:does|do|is|are|did)|why (?:does|do|is|are)|how (?:does|do|is|are|can|should)|is|does|are|explain|define|describe|translate)\b/
/** Words of which it may consist: none that orders anything but to explain, or speaks of what to do next. */
const words = new Set(
  (
    'what why how where when who does do did is are was were can could should would explain define describe translate ' +
    'please you me us i we they people users user someone somebody anyone a an the this that these it its there ' +
    'and or of in on at to into from for by with about against between as so than often usually commonly ' +
    'mean means meaning meant phrase sentence term expression words word text string line quote idiom message prompt prompts ' +
    'come comes origin work works well dangerous harmful risk risky risks bad problem considered called count counts ' +
    'attack attacks attempt attempts jailbreak jailbreaks injection injections threat example examples kind type ' +
    'detect detected recognize recognise filter block prevent stop mitigate avoid defend spot flag catch handle ' +
    'chat chatbot chatbots model models language large llm llms ai assistant assistants bot bots security owasp list ' +
    'english french german spanish italian portuguese dutch polish turkish russian japanese chinese korean arabic latin'
  ).split(' '),
)
/** How a quotation begins that names what is asked for, rather than being what is asked about. */
const named =
  /^.(?:your|my|the|its|this|that|all|any|every|everything|what|system|initial|hidden|secret|first|original|prompt|instructions?|rules|messages?|text|words|above|previous|prior)\b/i
/** Verbs that only a question has before them. */
const asking = /\b(?:what|why|how|where|when) (?:do|did|does)\b/g

/**
 * A question about what it quotes, with blanks in place of the quotations; undefined for all that may be more than that:
 * one word outside of them that such questions do not have is enough.
 */
export const withoutQuotations = (text: string): string | undefined => {
  if (text.length > longest || (text.match(quotation) ?? []).some((quoted) => named.test(quoted))) return undefined
  const blank = text.replace(quotation, (quoted) => quoted.charAt(0) + ' '.repeat(quoted.length - 2) + quoted.slice(-1))
  if (blank === text) return undefined
  const outside = blank.replace(/["“”«»„'‘’]\s*["“”«»„'‘’]/gu, ' ').toLowerCase()
  if (!/^[a-z\s,?.]*$/.test(outside) || !opening.test(outside.trim())) return undefined
  const others =
    outside
      .trim()
      .replace(asking, 'what')
      .match(/[a-z]+/g) ?? []
  return others.every((word) => words.has(word) && word !== 'do') ? blank : undefined
}
