import type { Zip } from '../../container/zip.js'
import { parsedPart } from '../../container/package.js'
import { child, childrenNamed } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import { valueOf } from './styles.js'

export interface Numbered {
  readonly level: number
  readonly ordered: boolean
  readonly number: number
}

/** Makes what numbers the paragraphs of lists, which are asked for in the order of the part. */
export const readNumbering = (zip: Zip): (() => (properties: XmlElement | undefined) => Numbered | undefined) => {
  const root = parsedPart(zip, 'word/numbering.xml')
  const abstracts = new Map(childrenNamed(root, 'abstractNum').map((one) => [one.attributes['abstractNumId'], one]))
  const definitions = new Map(
    childrenNamed(root, 'num').map((one) => [one.attributes['numId'], abstracts.get(valueOf(one, 'abstractNumId'))]),
  )
  return () => numberingBy(definitions)
}

const numberingBy = (definitions: ReadonlyMap<string | undefined, XmlElement | undefined>) => {
  const counts = new Map<XmlElement, number[]>()
  return (properties: XmlElement | undefined): Numbered | undefined => {
    const id = valueOf(properties, 'numId')
    const definition = definitions.get(id)
    if (!properties || id === undefined || id === '0' || !definition) return undefined
    const level = Math.min(8, Math.max(0, Number(valueOf(properties, 'ilvl') ?? 0) || 0))
    const described = childrenNamed(definition, 'lvl').find((one) => one.attributes['ilvl'] === String(level))
    const count = counts.get(definition) ?? []
    counts.set(definition, count)
    count.length = Math.min(count.length, level + 1)
    const number = (count[level] ?? Number(valueOf(described, 'start') ?? 1) - 1) + 1
    count[level] = number
    const format = child(described, 'numFmt')?.attributes['val'] ?? 'bullet'
    return { level, ordered: format !== 'bullet' && format !== 'none', number: Number.isFinite(number) ? number : 1 }
  }
}
