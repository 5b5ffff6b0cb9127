import type { InspectionRequest } from '@sallyport/core'

/** Verbs of attacks that people ask about; none that has the model give something away (reveal, repeat, print). */
const verbs = 'ignore|disregard|forget|override|bypass|pretend|act|you are now|do anything now'
/** An instruction of one clause: a longer one could be meant as an attack. */
const instruction = `(?:${verbs})(?: (?!and |then |or |but )[a-z]{1,16}){0,7}[.!]?`
const quotation = new RegExp(
  `"${instruction}"|“${instruction}”|«${instruction}»|„${instruction}[“”]|'${instruction}'|‘${instruction}’`,
  'i',
)

/** The maximum length of a question in UTF-16 code units, which bounds the search for quotations. */
const maxLength = 4096

/** A placeholder for the quotation. */
const mark = '""'
const quotedInstruction = `(?:the (?:phrase|sentence|words|expression|term|prompt|message|text) )?${mark}`
const attack = 'attack|threat|risk|problem|jailbreak|(?:jailbreak|injection) attempt|(?:prompt )?injection(?: attack)?'
const bad = `(?:(?:called |considered )?an? (?:${attack})|(?:so )?(?:bad|dangerous|harmful|risky))`
const models = '(?:(?:large |chat |ai )?(?:language )?(?:models?|assistants?)|chatbots?|llms?)'
const language =
  '(?:english|french|german|spanish|italian|portuguese|dutch|polish|turkish|russian|japanese|chinese|korean|arabic|latin)'
const please = '(?:please |(?:can|could) you (?:please )?)?'

/** Questions are matched word by word around the quotation, as one more word could be an instruction. */
const questions = [
  `what does ${quotedInstruction} mean(?: in ${language})?(?:,? and why is (?:it|this|that) ${bad})?`,
  `what is (?:meant by|the meaning of|the origin of) ${quotedInstruction}`,
  `where does ${quotedInstruction} come from`,
  `why does ${quotedInstruction} work(?: so well| so often)?(?: (?:against|on|with) ${models})?`,
  `(?:why )?is ${quotedInstruction} ${bad}`,
  `how (?:do|can|should) (?:i|we|you|people|developers) (?:detect|recogni[sz]e|spot|catch|filter|block|prevent|stop) ${quotedInstruction}`,
  `how (?:do|can|should) (?:i|we|you|people|developers) (?:protect|defend) against ${quotedInstruction}`,
  `${please}(?:explain|define) ${quotedInstruction}(?:,? and where it comes from|,? and why it is ${bad})?`,
  `${please}(?:explain|tell me) (?:what ${quotedInstruction} means|why ${quotedInstruction} is ${bad})`,
  `${please}translate ${quotedInstruction} (?:in)?to ${language}`,
].map((question) => new RegExp(`^${question}[?.!]?$`, 'i'))

/**
 * A text in which a user only asks, in English, about a quoted attack, with spaces in place of the quoted words; undefined
 * for all other texts. It must come from a user, and no earlier part of that user's text may precede it, as the question
 * could then be part of a longer one. The text of another role up to `from` is kept.
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
