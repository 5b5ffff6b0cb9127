import type { InspectionRequest } from '@sallyport/core'

/** Verbs of attacks that people ask about; none that demands a text, such as a prompt. */
const verbs = 'ignore|disregard|forget|override|bypass|pretend|act|you are now|do anything now'
/** An order of one clause: a longer one could be meant as an attack. */
const order = `(?:${verbs})(?: (?!and |then |or |but )[a-z]{1,16}){0,7}[.!]?`
const quotation = new RegExp(`"${order}"|“${order}”|«${order}»|„${order}[“”]|'${order}'|‘${order}’`, 'i')

/** The maximum length of a question in UTF-16 units, which bounds the search for quotations. */
const maxLength = 4096

/** A placeholder for the quotation. */
const mark = '""'
const quotedOrder = `(?:the (?:phrase|sentence|words|expression|term|prompt|message|text) )?${mark}`
const attack = 'attack|threat|risk|problem|jailbreak|(?:jailbreak|injection) attempt|(?:prompt )?injection(?: attack)?'
const bad = `(?:(?:called |considered )?an? (?:${attack})|(?:so )?(?:bad|dangerous|harmful|risky))`
const models = '(?:(?:large |chat |ai )?(?:language )?(?:models?|assistants?)|chatbots?|llms?)'
const language =
  '(?:english|french|german|spanish|italian|portuguese|dutch|polish|turkish|russian|japanese|chinese|korean|arabic|latin)'
const please = '(?:please |(?:can|could) you (?:please )?)?'

/** Questions are matched word by word around the quotation, as one more word could be an order. */
const questions = [
  `what does ${quotedOrder} mean(?: in ${language})?(?:,? and why is (?:it|this|that) ${bad})?`,
  `what is (?:meant by|the meaning of|the origin of) ${quotedOrder}`,
  `where does ${quotedOrder} come from`,
  `why does ${quotedOrder} work(?: so well| so often)?(?: (?:against|on|with) ${models})?`,
  `(?:why )?is ${quotedOrder} ${bad}`,
  `how (?:do|can|should) (?:i|we|you|people|developers) (?:detect|recogni[sz]e|spot|catch|filter|block|prevent|stop) ${quotedOrder}`,
  `how (?:do|can|should) (?:i|we|you|people|developers) (?:protect|defend) against ${quotedOrder}`,
  `${please}(?:explain|define) ${quotedOrder}(?:,? and where it comes from|,? and why it is ${bad})?`,
  `${please}(?:explain|tell me) (?:what ${quotedOrder} means|why ${quotedOrder} is ${bad})`,
  `${please}translate ${quotedOrder} (?:in)?to ${language}`,
].map((question) => new RegExp(`^${question}[?.!]?$`, 'i'))

/**
 * A text in which a user only asks, in English, about a quoted attack, with blanks in place of the quotation; undefined for
 * all other texts. It must come from a user, whom the model obeys, and no text may precede it, of which the question could
 * be a part.
 */
export const withoutQuotation = ({ text, before = '', origin, from = 0 }: InspectionRequest): string | undefined => {
  if (origin !== 'user' || before !== '' || text.length - from > maxLength) return undefined
  const question = withoutAttack(text.slice(from))
  return question === undefined ? undefined : text.slice(0, from) + question
}

const withoutAttack = (text: string): string | undefined => {
  const question = text.replace(quotation, mark).trim()
  if (!questions.some((known) => known.test(question))) return undefined
  return text.replace(quotation, (quoted) => quoted.replace(/[a-z.!]/gi, ' '))
}
