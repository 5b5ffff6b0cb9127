/** What docx, xlsx and pptx have in common: parts, and relations between them. */

import { childrenNamed, parseXml, xmlText } from './xml.js'
import type { XmlElement } from './xml.js'
import type { Zip } from './zip.js'

export interface Relation {
  /** The last part of the address that says what it is: `slide`, `image`, `hyperlink`. */
  readonly kind: string
  /** Name of a part; the address as it stands where it leads out. */
  readonly target: string
}

/** The relations of a part by their ids. */
export const relationsOf = (zip: Zip, part: string): Map<string, Relation> => {
  const at = part.lastIndexOf('/') + 1
  const source = zip.text(`${part.slice(0, at)}_rels/${part.slice(at)}.rels`)
  const relations = new Map<string, Relation>()
  for (const { attributes } of source ? childrenNamed(parseXml(source), 'Relationship') : []) {
    const { Id = '', Type = '', Target = '', TargetMode } = attributes
    const target = TargetMode === 'External' ? Target : resolvePart(part.slice(0, at), Target)
    relations.set(Id, { kind: Type.slice(Type.lastIndexOf('/') + 1), target })
  }
  return relations
}

/** The part with which a document begins. */
export const mainPart = (zip: Zip): string | undefined =>
  [...relationsOf(zip, '').values()].find(({ kind }) => kind === 'officeDocument')?.target

/** The name of a part that is given relatively to a folder. */
export const resolvePart = (folder: string, target: string): string => {
  const path = target.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const step of target.split('/')) {
    if (step === '..') path.pop()
    else if (step !== '' && step !== '.') path.push(step)
  }
  return path.join('/')
}

/** Titles that programs put in by themselves. */
const meaningless =
  /^(powerpoint[- ]pr[eé\u00e4]sentation|presentation|document|untitled|title|unknown(?: title)?|slide ?\d*|microsoft word - .*|.*\.(docx?|pptx?|xlsx?|pdf|odt))$/i

export const meaningfulTitle = (title: string | undefined): string | undefined => {
  const tidy = title?.replace(/[\s\0]+/g, ' ').trim() ?? ''
  return tidy === '' || meaningless.test(tidy) ? undefined : tidy
}

/** The title that the properties of a document tell. */
export const coreTitle = (zip: Zip): string | undefined => {
  const source = zip.text('docProps/core.xml')
  const title = source && childrenNamed(parseXml(source), 'title')[0]
  return meaningfulTitle(title ? xmlText(title) : undefined)
}

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  svg: 'image/svg+xml',
}

/** An image as a data URI, where it is there and of a type that browsers show. */
export const imageUri = (zip: Zip, part: string): string | undefined => {
  const type = types[part.slice(part.lastIndexOf('.') + 1).toLowerCase()]
  const bytes = type && zip.read(part)
  return bytes ? `data:${type};base64,${Buffer.from(bytes).toString('base64')}` : undefined
}

export const parsedPart = (zip: Zip, part: string): XmlElement | undefined => {
  const source = zip.text(part)
  return source === undefined ? undefined : parseXml(source)
}
