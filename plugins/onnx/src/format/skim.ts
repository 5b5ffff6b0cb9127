import type protobuf from 'protobufjs/light.js'
import { FormatError } from '@sallyport/weights'
import { WireReader } from './wire-reader.js'
import type { ByteSource } from './source.js'

/**
 * A protobuf message without its bulk: a bytes field is represented by its length, and lists of numbers and fields that
 * the schema leaves out are skipped.
 */
export type Message = { readonly [field: string]: Value }
type Value = string | number | Message | (string | Message)[] | undefined

/** No valid model exceeds these limits; a hostile file without them would fill the memory. */
const limits = { depth: 32, messages: 4_000_000, stringBytes: 64 * 1024 * 1024 }

const integers = new Set(['int32', 'int64'])

/**
 * Reads a message by its schema, with bounded memory (64 MiB of strings, 4 million messages, 32 levels), whatever its
 * size.
 * @throws FormatError
 */
export const skim = (source: ByteSource, type: protobuf.Type): Message =>
  new Skimmer(new WireReader(source)).message(type, source.size, 0)

class Skimmer {
  private messagesLeft = limits.messages
  private bytesLeft = limits.stringBytes

  constructor(private readonly reader: WireReader) {}

  message(type: protobuf.Type, end: number, depth: number): Message {
    const { reader } = this
    this.messagesLeft -= 1
    if (depth > limits.depth || this.messagesLeft < 0) throw new FormatError('the file has too many parts to be read')
    const fields: Record<string, Value> = {}
    while (reader.position < end) {
      const tag = reader.varint()
      const wireType = tag & 7
      const field = type.fieldsById[tag >>> 3]?.resolve()
      const value = field && this.value(field, wireType, end, depth)
      if (!field || value === undefined) reader.skip(wireType, end)
      else if (!field.repeated) fields[field.name] = value
      else if (typeof value !== 'number') add(fields, field.name, value)
    }
    if (reader.position !== end) throw new FormatError('the file is truncated or damaged')
    return fields
  }

  /** The value of a field; undefined where the field is to be skipped. */
  private value(field: protobuf.Field, wireType: number, end: number, depth: number) {
    const { reader } = this
    if (wireType === 0 && !field.repeated && integers.has(field.type)) return reader.varint()
    if (wireType !== 2 || !(field.resolvedType || ['bytes', 'string'].includes(field.type))) return undefined
    const length = reader.length(end)
    if (field.resolvedType)
      return this.message(field.resolvedType as protobuf.Type, reader.position + length, depth + 1)
    if (field.type === 'string') return this.string(length)
    reader.position += length
    return length
  }

  private string(length: number): string {
    this.bytesLeft -= length
    if (this.bytesLeft < 0) throw new FormatError('the file has more text than a model has')
    return Buffer.from(this.reader.bytes(length)).toString('utf8')
  }
}

const add = (fields: Record<string, Value>, name: string, value: string | Message): void => {
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
