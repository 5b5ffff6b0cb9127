import type { InspectionRequest } from '@sallyport/core'

/** What attacks begin with that people ask about: nothing that could name what is asked for, such as a prompt. */
const verbs = 'ignore|disregard|forget|override|bypass|pretend|act|you are now|do anything now'
/** An order of one clause: what goes on could be meant. */
const order = `(?:${verbs})(?: (?!and |then |or |but )[a-z]{1,16}){0,7}[.!]?`
const quotation = new RegExp(`"${order}"|“${order}”|«${order}»|„${order}[“”]|'${order}'|‘${order}’`, 'i')

/** UTF-16 units: no question is longer, and a long text would be searched for a quotation at once. */
const longest = 4096

/** Stands for the quotation. */
const mark = '""'
const it = `(?:the (?:phrase|sentence|words|expression|term|prompt|message|text) )?${mark}`
const attack = 'attack|threat|risk|problem|jailbreak|(?:jailbreak|injection) attempt|(?:prompt )?injection(?: attack)?'
const bad = `(?:(?:called |considered )?an? (?:${attack})|(?:so )?(?:bad|dangerous|harmful|risky))`
const models = '(?:(?:large |chat |ai )?(?:language )?(?:models?|assistants?)|chatbots?|llms?)'
const language =
  '(?:english|french|german|spanish|italian|portuguese|dutch|polish|turkish|russian|japanese|chinese|korean|arabic|latin)'
const please = '(?:please |(?:can|could) you (?:please )?)?'

/** Whole sentences, in which everything but the quotation is known by heart: one word more could be an order. */
const questions = [
  `what does ${it} mean(?: in ${language})?(?:,? and why is (?:it|this|that) ${bad})?`,
  `what is (?:meant by|the meaning of|the origin of) ${it}`,
  `where does ${it} come from`,
  `why does ${it} work(?: so well| so often)?(?: (?:against|on|with) ${models})?`,
  `(?:why )?is ${it} ${bad}`,
  `how (?:do|can|should) (?:i|we|you|people|developers) (?:detect|recogni[sz]e|spot|catch|filter|block|prevent|stop) ${it}`,
  `how (?:do|can|should) (?:i|we|you|people|developers) (?:protect|defend) against ${it}`,
  `${please}(?:explain|define) ${it}(?:,? and where it comes from|,? and why it is ${bad})?`,
  `${please}(?:explain|tell me) (?:what ${it} means|why ${it} is ${bad})`,
  `${please}translate ${it} (?:in)?to ${language}`,
].map((question) => new RegExp(`^${question}[?.!]?$`, 'i'))

/**
 * A text in which a user asks in English about an attack, and says nothing else, with blanks in place of the attack that
 * is quoted; undefined for all else. Of others, who asks may not be whom the model obeys; behind what stands before the
 * text, the question may be a part of something.
 */
export const withoutQuotation = ({ text, before = '', origin, from = 0 }: InspectionRequest): string | undefined => {
  if (origin !== 'user' || before !== '' || text.length - from > longest) return undefined
  const asked = blanked(text.slice(from))
  return asked === undefined ? undefined : text.slice(0, from) + asked
}

const blanked = (text: string): string | undefined => {
  const asked = text.replace(quotation, mark).trim()
  if (!questions.some((question) => question.test(asked))) return undefined
  return text.replace(quotation, (quoted) => quoted.replace(/[a-z.!]/gi, ' '))
}
