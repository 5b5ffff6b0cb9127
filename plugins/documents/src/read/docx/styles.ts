import { parsedPart, relationsOf, resolvePart } from '../../container/package.js'
import { child, childrenNamed, descendants } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import type { Zip } from '../../container/zip.js'

/** A style of paragraphs or runs. */
export interface Style {
  readonly name: string
  /** The level of a heading, from 1. */
  readonly outline?: number
  readonly numbering?: XmlElement
  readonly run?: XmlElement
}

export const valueOf = (element: XmlElement | undefined, name: string): string | undefined =>
  child(element, name)?.attributes['val']

/** Whether a toggle property is on; undefined where it is missing. */
export const isOn = (properties: XmlElement | undefined, name: string): boolean | undefined => {
  const found = child(properties, name)
  return found && !/^(0|false|off|none)$/.test(found.attributes['val'] ?? '')
}

/** Styles by their ids, with what they inherit. */
export const readStyles = (zip: Zip): ((id: string | undefined) => Style | undefined) => {
  const root = parsedPart(zip, 'word/styles.xml')
  const elements = new Map(childrenNamed(root, 'style').map((one) => [one.attributes['styleId'] ?? '', one]))
  const cache = new Map<string, Style>()
  const resolve = (id: string, depth: number): Style | undefined => {
    const known = cache.get(id)
    const element = elements.get(id)
    if (known || !element) return known
    const base = depth < 20 ? resolve(valueOf(element, 'basedOn') ?? '', depth + 1) : undefined
    const name = valueOf(element, 'name') ?? ''
    const named = /^heading (\d)$/i.exec(name)?.[1]
    const level = valueOf(child(element, 'pPr'), 'outlineLvl')
    const outline = named ? Number(named) : level ? outlineOf(level) : base?.outline
    const numbering = child(element, 'pPr', 'numPr') ?? base?.numbering
    const run = child(element, 'rPr') ?? base?.run
    const style: Style = { name, ...(outline && { outline }), ...(numbering && { numbering }), ...(run && { run }) }
    cache.set(id, style)
    return style
  }
  return (id) => (id === undefined ? undefined : resolve(id, 0))
}

/** The level of a heading by Word's outline level, which counts from 0; 9 means body text. */
export const outlineOf = (level: string): number | undefined => (Number(level) < 9 ? Number(level) + 1 : undefined)

interface Numbered {
  readonly level: number
  readonly ordered: boolean
  readonly number: number
}

/** Returns a function that starts numbering a part. What it returns must be called for all paragraphs in order. */
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
    const lvl = childrenNamed(definition, 'lvl').find((one) => one.attributes['ilvl'] === String(level))
    const count = counts.get(definition) ?? []
    counts.set(definition, count)
    count.length = Math.min(count.length, level + 1)
    const number = (count[level] ?? Number(valueOf(lvl, 'start') ?? 1) - 1) + 1
    count[level] = number
    const format = valueOf(lvl, 'numFmt') ?? 'bullet'
    return { level, ordered: format !== 'bullet' && format !== 'none', number: Number.isFinite(number) ? number : 1 }
  }
}

/** The parts with headers or footers that pages show; those of first and even pages only where they are enabled. */
export const headerOrFooterParts = (zip: Zip, part: string, body: XmlElement, kind: 'header' | 'footer'): string[] => {
  const relations = relationsOf(zip, part)
  const settings = parsedPart(zip, resolvePart(part.slice(0, part.lastIndexOf('/')), 'settings.xml'))
  const evenDiffer = isOn(settings, 'evenAndOddHeaders') ?? false
  const targets = descendants(body, 'sectPr').flatMap((section) =>
    childrenNamed(section, `${kind}Reference`).flatMap(({ attributes: { id = '', type = 'default' } }) => {
      const isShown = type === 'first' ? isOn(section, 'titlePg') : type === 'default' || evenDiffer
      const target = relations.get(id)?.target
      return isShown && target !== undefined ? [target] : []
    }),
  )
  return [...new Set(targets)]
}
