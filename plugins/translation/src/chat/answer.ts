import { fenceFor } from './prompt.js'

const quotes = ['""', '“”', '„“', '«»', '»«', "''", '``']

/** What models write before and after a translation. */
const preamble =
  /^(?:(?:sure|certainly|of course|okay|ok)\b[^\n:]{0,80}[:!]\s*)?(?:(?:here(?:['’]s| is)|the)\b[^\n:]{0,80}\b(?:translation|text|version)\b[^\n:]{0,80}:|translation\s*(?:\([^\n)]*\))?\s*:|translated text\s*:)\s*/iu
const postscript = /\n\s*(?:\(?(?:note|explanation|translator's note|literal(?:ly)?)\b)[\s\S]*$/iu
const reasoning = /^\s*<think>[\s\S]*?<\/think>/u

/** The translation without what a chat model says around it. */
export const translationIn = (answer: string, text: string): string => {
  const fence = fenceFor(text)
  let rest = answer.replace(reasoning, '').trim()
  const fenced = new RegExp(`<${fence}>([\\s\\S]*?)(?:</${fence}>|$)`, 'u').exec(rest)
  rest = fenced?.[1] ?? rest.replaceAll(new RegExp(`</?${fence}>`, 'gu'), '')
  rest = unfenced(rest.trim(), text)
  if (!preamble.test(text)) rest = rest.replace(preamble, '')
  if (!postscript.test(`\n${text}`)) rest = rest.replace(postscript, '')
  return unquoted(rest.trim(), text.trim())
}

/** Removes a Markdown fence around the whole answer. */
const unfenced = (answer: string, text: string): string =>
  text.includes('```') ? answer : (/^```\w*\n([\s\S]*?)\n?```$/u.exec(answer)?.[1] ?? answer)

const unquoted = (answer: string, text: string): string => {
  const found = quotes.find((pair) => answer.length > 1 && answer.at(0) === pair.at(0) && answer.at(-1) === pair.at(-1))
  if (!found || quotes.some((pair) => text.at(0) === pair.at(0))) return answer
  const inside = answer.slice(1, -1)
  return Array.from(found).some((quote) => inside.includes(quote)) ? answer : inside
}
