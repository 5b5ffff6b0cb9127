import type protobuf from 'protobufjs/light.js'
import { FormatError } from '@sallyport/weights'
import { WireReader } from './wire-reader.js'
import type { ByteSource } from './source.js'

/**
 * A protobuf message without its bulk: a bytes field is represented by its length, and lists of numbers and fields that
 * the schema leaves out are skipped.
 */
export type Message = { readonly [field: string]: string | number | Message | (string | Message)[] | undefined }
type MutableMessage = Record<string, string | number | Message | (string | Message)[] | undefined>

/** No valid model exceeds these limits; a hostile file without them would fill the memory. */
const limits = { depth: 32, messages: 4_000_000, text: 64 * 1024 * 1024 }

interface Budget {
  messages: number
  text: number
}

const integers = new Set(['int32', 'int64'])

/**
 * Reads a message by its schema, with bounded memory (64 MiB of names, 4 million parts, 32 levels), whatever its size.
 * @throws FormatError
 */
export const skim = (source: ByteSource, type: protobuf.Type): Message =>
  message(new WireReader(source), type, source.size, 0, { messages: limits.messages, text: limits.text })

const message = (reader: WireReader, type: protobuf.Type, end: number, depth: number, budget: Budget): Message => {
  if (depth > limits.depth || --budget.messages < 0) throw new FormatError('the file has too many parts to be read')
  const fields: MutableMessage = {}
  while (reader.position < end) {
    const tag = reader.varint()
    const wireType = tag & 7
    const field = type.fieldsById[tag >>> 3]?.resolve()
    const value = field && fieldValue(reader, field, wireType, end, depth, budget)
    if (!field || value === undefined) reader.skip(wireType, end)
    else if (!field.repeated) fields[field.name] = value
    else if (typeof value !== 'number') add(fields, field.name, value)
  }
  if (reader.position !== end) throw new FormatError('the file is truncated or damaged')
  return fields
}

/** The value of a field; undefined where the field is to be skipped. */
const fieldValue = (
  reader: WireReader,
  field: protobuf.Field,
  wireType: number,
  end: number,
  depth: number,
  budget: Budget,
): string | number | Message | undefined => {
  if (wireType === 0 && !field.repeated && integers.has(field.type)) return reader.varint()
  if (wireType !== 2) return undefined
  if (field.type === 'bytes') return skipped(reader, reader.length(end))
  if (field.type === 'string') return text(reader, reader.length(end), budget)
  if (!field.resolvedType) return undefined
  const length = reader.length(end)
  return message(reader, field.resolvedType as protobuf.Type, reader.position + length, depth + 1, budget)
}

const skipped = (reader: WireReader, length: number): number => {
  reader.position += length
  return length
}

const text = (reader: WireReader, length: number, budget: Budget): string => {
  budget.text -= length
  if (budget.text < 0) throw new FormatError('the file has more text than a model has')
  return Buffer.from(reader.bytes(length)).toString('utf8')
}

const add = (fields: MutableMessage, name: string, value: string | Message): void => {
  const list = fields[name]
  if (Array.isArray(list)) list.push(value)
  else fields[name] = [value]
}

export const string = (message: Message, field: string): string => {
  const value = message[field]
  return typeof value === 'string' ? value : ''
}

export const number = (message: Message, field: string): number => {
  const value = message[field]
  return typeof value === 'number' ? value : 0
}

export const child = (message: Message | undefined, field: string): Message | undefined => {
  const value = message?.[field]
  return typeof value === 'object' && !Array.isArray(value) ? value : undefined
}

export const children = (message: Message | undefined, field: string): Message[] => {
  const value = message?.[field]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object') : []
}

export const strings = (message: Message | undefined, field: string): string[] => {
  const value = message?.[field]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
