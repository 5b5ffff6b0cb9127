/** Converts the content of items to that of the kernel's messages. */

import type { ContentPart } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import type { ReadImage } from '../../body/images.js'
import { omitUndefined } from '../generation.js'
import type { ContentBody, ItemBody } from './item-schemas.js'
import { invalidField } from '../../invalid-field.js'

type PartBody = Exclude<ContentBody, string | unknown[]>

/** @throws invalid_request */
export const toContent = (content: ContentBody, path: string, read: ReadImage): string | ContentPart[] => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return [toPart(content, path, read)]
  return content.map((part, index) => toPart(part, `${path}[${index}]`, read))
}

const toPart = (part: PartBody, path: string, read: ReadImage): ContentPart =>
  part.type === 'input_image' ? toImage(part, path, read) : { type: 'text', text: partText(part, path) }

const partText = ({ type, text, refusal }: Partial<PartBody>, path: string): string => {
  const written = text ?? refusal
  if (written !== undefined) return written
  const name = type === 'refusal' ? 'refusal' : 'text'
  throw invalidField(`${path}.${name}`, 'is required: give a string')
}

const toImage = ({ image_url: image, detail }: PartBody, path: string, read: ReadImage): ContentPart => {
  if (image === undefined)
    throw invalidField(`${path}.image_url`, 'is required: give the image as a data: URI; files are not stored here')
  const [url, field] = typeof image === 'string' ? [image, ''] : [image.url, '.url']
  const wanted = detail ?? (typeof image === 'string' ? undefined : image.detail)
  return { type: 'image', ...read(url, `${path}.image_url${field}`), ...omitUndefined({ detail: wanted }) }
}

/** Counts the images of a content. */
export const countImages = (content: ContentBody | undefined): number =>
  typeof content === 'object' ? [content].flat().filter(({ type }) => type === 'input_image').length : 0

/** Joins the text of the content. @throws invalid_request for an image */
export const toText = (content: ContentBody | NonNullable<ItemBody['summary']>, path: string): string =>
  typeof content === 'string'
    ? content
    : [content]
        .flat()
        .map((part, index) => partText(part, Array.isArray(content) ? `${path}[${index}]` : path))
        .join('')

/** Converts the output of a function to the text that the model reads. @throws invalid_request for an image */
export const outputText = (output: unknown, path: string): string => {
  if (typeof output === 'string') return output
  if (!Array.isArray(output) || !output.length || !output.every(isPart)) return JSON.stringify(output ?? null)
  if (output.every(({ type }) => type !== 'input_image')) return output.map(({ text }) => text ?? '').join('')
  throw invalidField(path, 'must not hold images: tools answer with text or JSON')
}

const isPart = (value: unknown): value is { type: string; text?: string } =>
  isRecord(value) &&
  (value['type'] === 'input_image' || (isTextType(value['type']) && typeof value['text'] === 'string'))

const isTextType = (type: unknown): boolean => type === 'input_text' || type === 'output_text' || type === 'text'
