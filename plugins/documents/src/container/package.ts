/** Parts of docx, xlsx and pptx, and relationships between them (Open Packaging Conventions). */

import { childrenNamed, parseXml, xmlText } from './xml.js'
import type { XmlElement } from './xml.js'
import type { Zip } from './zip.js'

export interface Relation {
  /** The last segment of the relationship's type, such as `slide`, `image` or `hyperlink`. */
  readonly kind: string
  /** The name of a part, or an external address as written. */
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

/** The main part of the document. */
export const mainPart = (zip: Zip): string | undefined =>
  [...relationsOf(zip, '').values()].find(({ kind }) => kind === 'officeDocument')?.target

/** Resolves the name of a part relative to a folder. */
export const resolvePart = (folder: string, target: string): string => {
  const path = target.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const step of target.split('/')) {
    if (step === '..') path.pop()
    else if (step !== '' && step !== '.') path.push(step)
  }
  return path.join('/')
}

/** Default titles of office programs. */
const meaninglessTitle =
  /^(powerpoint[- ]pr[eé\u00e4]sentation|presentation|document|untitled|title|unknown(?: title)?|slide ?\d*|microsoft word - .*|.*\.(docx?|pptx?|xlsx?|pdf|odt))$/i

export const meaningfulTitle = (title: string | undefined): string | undefined => {
  const tidy = title?.replace(/[\s\0]+/g, ' ').trim() ?? ''
  return tidy === '' || meaninglessTitle.test(tidy) ? undefined : tidy
}

/** The title in the properties of a document. */
export const coreTitle = (zip: Zip): string | undefined => {
  const source = zip.text('docProps/core.xml')
  const title = source && childrenNamed(parseXml(source), 'title')[0]
  return meaningfulTitle(title ? xmlText(title) : undefined)
}

const imageTypes: Readonly<Record<string, string>> = {
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

/** An image as a data URI; undefined where it is missing or of a type that browsers do not show. */
export const imageUri = (zip: Zip, part: string): string | undefined => {
  const type = imageTypes[part.slice(part.lastIndexOf('.') + 1).toLowerCase()]
  const bytes = type && zip.read(part)
  return bytes ? `data:${type};base64,${Buffer.from(bytes).toString('base64')}` : undefined
}

export const parsedPart = (zip: Zip, part: string): XmlElement | undefined => {
  const source = zip.text(part)
  return source === undefined ? undefined : parseXml(source)
}
