/** Texts that are JSON: what stands in them may be written with escapes, and is checked as whoever parses it reads it. */

import { rewriteTexts, textsOf } from './walk.js'

/** The object or list that a text is; undefined for any other text. */
const parseStructure = (text: string): object | undefined => {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}

/** The strings, keys and numbers of a text that is JSON, one a line; undefined for any other text. */
export const readable = (text: string): string | undefined => {
  const parsed = parseStructure(text)
  return (
    parsed &&
    textsOf('text', parsed)
      .map((site) => site.text)
      .join('\n')
  )
}

/** JSON with more texts than this is checked as one text, and blocked where something would have to be replaced. */
const mostTexts = 256

/**
 * Rewrites the strings, keys and numbers of a text that is JSON; undefined for any other text.
 * @param refuse makes the error for JSON that is too large to be rewritten
 */
export const rewriteStructure = async (
  text: string,
  rewrite: (inner: string) => Promise<string>,
  refuse: () => Error,
): Promise<string | undefined> => {
  const parsed = parseStructure(text)
  if (!parsed) return undefined
  const texts = new Set(textsOf('text', parsed).flatMap((site) => site.text || []))
  if (texts.size > mostTexts) {
    const whole = [...texts].join('\n')
    if ((await rewrite(whole)) !== whole) throw refuse()
    return text
  }
  const rewritten = new Map<string, string>()
  for (const inner of texts) rewritten.set(inner, await rewrite(inner))
  if ([...rewritten].every(([before, after]) => before === after)) return text
  return JSON.stringify(rewriteTexts('text', parsed, (site) => rewritten.get(site.text) ?? site.text))
}
