/** Whether a text begins like HTML. The pattern lets a comment end in one place only, to avoid backtracking. */
export const beginsAsHtml = (start: string): boolean =>
  /^(?:\s|<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->)*(?:<!doctype\s+html|<html[\s>])/i.test(start) ||
  /^<(?:head|body|title|meta|h[1-6]|p|div|span|table|ul|ol|a|br|section|article|main|header)\b[^>]*>/i.test(start)

/** Characters of the sample that is examined. */
const sampleCharacters = 65_536

/** Elements but those of scripts and forms, which texts mention more often than use. */
const textElements = new Set(
  (
    'a abbr address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del dfn div ' +
    'dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i img ins kbd li link main mark meta ' +
    'nav ol p pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead time title tr ' +
    'tt u ul var wbr'
  ).split(' '),
)

/** Whether a text has tags, all of them known and at least one with its end tag, and does not look like source code. */
export const hasHtml = (text: string): boolean => {
  const visible = text.slice(0, sampleCharacters).replace(/<!--.*?-->|<(script|style)\b.*?<\/\1\s*>/gis, '')
  const tags = [...visible.matchAll(/<(\/?)([a-z][\w:-]*)(?:\s[^<>]*|\/)?>/gi)]
  const names = tags.map(([, , name = '']) => name.toLowerCase())
  const isCode = /(?:[{}]|(?<!&#?\w+);)[ \t]*$/m.test(visible)
  if (isCode || !names.every((name) => textElements.has(name))) return false
  const ended = new Set(names.filter((_, at) => tags[at]?.[1] === '/'))
  return names.some((name, at) => tags[at]?.[1] === '' && ended.has(name))
}
