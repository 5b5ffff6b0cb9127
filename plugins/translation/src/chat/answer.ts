import { fenceFor } from './prompt.js'

const quotes: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['»', '«'],
  ["'", "'"],
  ['`', '`'],
]

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
  const found = quotes.find(([open, close]) => answer.length > 1 && answer.startsWith(open) && answer.endsWith(close))
  if (!found || quotes.some(([open]) => text.startsWith(open))) return answer
  const inside = answer.slice(1, -1)
  return inside.includes(found[0]) || inside.includes(found[1]) ? answer : inside
}
