import { child, childrenNamed, elementsOf, xmlText } from '../container/xml.js'
import type { XmlElement } from '../container/xml.js'

const superscripts: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('0123456789+-=()n', (one, at) => [one, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ'[at] ?? one]),
)

/** An equation of Office in one line, as one would type it. */
export const mathText = (element: XmlElement): string => {
  const part = (name: string) => childrenNamed(element, name).slice(0, 1).map(mathText).join('')
  switch (element.name) {
    case 't':
      return xmlText(element)
    case 'f':
      return `${grouped(part('num'))}/${grouped(part('den'))}`
    case 'sSup':
      return part('e') + superscript(part('sup'))
    case 'sSub':
      return `${part('e')}_${grouped(part('sub'))}`
    case 'sSubSup':
      return `${part('e')}_${grouped(part('sub'))}${superscript(part('sup'))}`
    case 'rad':
      return `${part('deg')}√${grouped(part('e'))}`
    case 'd':
      return `(${childrenNamed(element, 'e').map(mathText).join(', ')})`
    case 'nary':
      return `${child(element, 'naryPr', 'chr')?.attributes['val'] ?? '∫'}${bounds(part('sub'), part('sup'))} ${part('e')}`
    default:
      return elementsOf(element).map(mathText).join('')
  }
}

const bounds = (low: string, high: string) => (low ? `_${grouped(low)}` : '') + (high ? `^${grouped(high)}` : '')

const grouped = (inner: string) => (/^[\p{L}\p{N}.]*$/u.test(inner) ? inner : `(${inner})`)

const superscript = (inner: string) =>
  /^[\d+\-=()n]*$/.test(inner) ? inner.replace(/./g, (one) => superscripts[one] ?? one) : `^${grouped(inner)}`
