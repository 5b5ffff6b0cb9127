import type { Zip } from '../../container/zip.js'
import { parsedPart } from '../../container/package.js'
import { child, childrenNamed } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'

/** What a style says of a paragraph or a run. */
export interface Style {
  readonly name: string
  /** From 1; of headings. */
  readonly outline?: number
  readonly numbering?: XmlElement
  readonly run?: XmlElement
}

export const valueOf = (element: XmlElement | undefined, name: string): string | undefined =>
  child(element, name)?.attributes['val']

/** A property that is on unless it says otherwise. */
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

/** Word counts from 0; 9 is for text. */
export const outlineOf = (level: string): number | undefined => (Number(level) < 9 ? Number(level) + 1 : undefined)
