/** How HTML is told from text that is none. */

/** Whether a page of HTML begins. A comment can end in one place only, or all ways to match would be tried. */
export const beginsAsHtml = (start: string): boolean =>
  /^(?:\s|<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->)*(?:<!doctype\s+html|<html[\s>])/i.test(start) ||
  /^<(?:head|body|title|meta|h[1-6]|p|div|span|table|ul|ol|a|br|section|article|main|header)\b[^>]*>/i.test(start)

/** How much of a text is looked at. */
const sample = 65_536

/** Elements of text; those of programs and of forms are written about more often than with. */
const known = new Set(
  (
    'a abbr address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del dfn div ' +
    'dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i img ins kbd li link main mark meta ' +
    'nav ol p pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead time title tr ' +
    'tt u ul var wbr'
  ).split(' '),
)

/** Text with tags of HTML in it, all of them known, one of them with its end; programs that write such tags are none. */
export const hasHtml = (text: string): boolean => {
  const visible = text.slice(0, sample).replace(/<!--.*?-->|<(script|style)\b.*?<\/\1\s*>/gis, '')
  const tags = [...visible.matchAll(/<(\/?)([a-z][\w:-]*)(?:\s[^<>]*|\/)?>/gi)]
  const names = tags.map(([, , name = '']) => name.toLowerCase())
  if (names.length === 0 || !names.every((name) => known.has(name)) || /(?:[{}]|(?<!&#?\w+);)[ \t]*$/m.test(visible))
    return false
  const ended = new Set(names.filter((_, at) => tags[at]?.[1] === '/'))
  return names.some((name, at) => tags[at]?.[1] === '' && ended.has(name))
}
