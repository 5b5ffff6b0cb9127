/** Parts of docx, xlsx and pptx, and relationships between them (Open Packaging Conventions). */

import { dataUri } from '../model/inlines.js'
import { child, childrenNamed, parseXml, xmlText } from './xml.js'
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
  const root = parsedPart(zip, `${part.slice(0, at)}_rels/${part.slice(at)}.rels`)
  const relations = new Map<string, Relation>()
  for (const { attributes } of childrenNamed(root, 'Relationship')) {
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

/** Titles that programs give. */
const meaninglessTitle =
  /^(powerpoint[- ]pr[eéä]sentation|presentation|document|untitled|title|unknown(?: title)?|slide ?\d*|microsoft word - .*|.*\.(docx?|pptx?|xlsx?|pdf|odt))$/i

export const meaningfulTitle = (title: string | undefined): string | undefined => {
  const tidy = title?.replace(/[\s\0]+/g, ' ').trim() ?? ''
  return tidy === '' || meaninglessTitle.test(tidy) ? undefined : tidy
}

/** The title in the properties of a document. */
export const coreTitle = (zip: Zip): string | undefined =>
  meaningfulTitle(xmlText(child(parsedPart(zip, 'docProps/core.xml'), 'title')))

/** Subtypes of `image/` by the endings of names, where they differ. */
const imageTypes: Readonly<Record<string, string>> = { jpg: 'jpeg', tif: 'tiff', svg: 'svg+xml' }

/** An image as a data URI; undefined where it is missing or of another format. */
export const imageUri = (zip: Zip, part: string): string | undefined => {
  const ending = /\.(png|jpe?g|gif|webp|bmp|tiff?|svg)$/.exec(part.toLowerCase())?.[1]
  const bytes = ending && zip.read(part)
  return bytes ? dataUri(`image/${imageTypes[ending] ?? ending}`, bytes) : undefined
}

/** Undefined where the part is missing or empty. */
export const parsedPart = (zip: Zip, part: string): XmlElement | undefined => {
  const source = zip.text(part)
  return source ? parseXml(source) : undefined
}
