import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { GgufError, readGgufHeader } from './header.js'
import type { GgufHeader } from './header.js'

const maxParts = 999
const firstPart = /^(.*)-00001-of-(\d{5})\.gguf$/

/**
 * The header of a model, named by its file or by the first of its parts. llama.cpp finds the others of a split model
 * beside the first one by their names (`llama_split_path`): each is checked, and the tensors are those of all.
 * @throws GgufError
 */
export const readModelHeader = (path: string): GgufHeader => {
  const first = readGgufHeader(path)
  const count = splitValue(first, 'split.count') ?? 1
  if (count <= 1) return first
  if (splitValue(first, 'split.no') !== 0) {
    throw new GgufError('the file is a later part of a split model: name the first part')
  }
  const others = otherParts(path, count).map((part, index) => readPart(part, index + 1, count))
  const parts = [first, ...others]
  return {
    ...first,
    tensors: parts.flatMap(({ tensors }) => tensors),
    fileBytes: parts.reduce((sum, { fileBytes }) => sum + fileBytes, 0),
  }
}

const otherParts = (path: string, count: number): string[] => {
  const [, stem, named] = firstPart.exec(basename(path)) ?? []
  if (stem === undefined || named === undefined || Number(named) !== count || count > maxParts) {
    const wanted = `NAME-${padded(1)}-of-${padded(count)}.gguf`
    throw new GgufError(`the file is the first of ${count} parts of a split model: it must be called ${wanted}`)
  }
  return Array.from({ length: count - 1 }, (_, index) =>
    join(dirname(path), `${stem}-${padded(index + 2)}-of-${named}.gguf`),
  )
}

const padded = (number: number) => String(number).padStart(5, '0')

const readPart = (path: string, index: number, count: number): GgufHeader => {
  const which = `part ${index + 1} of ${count} of the split model`
  if (!existsSync(path)) throw new GgufError(`${which} is not beside the first one`)
  const header = partHeader(path, which)
  if (splitValue(header, 'split.no') !== index || splitValue(header, 'split.count') !== count) {
    throw new GgufError(`${which} is a part of another one`)
  }
  return header
}

const partHeader = (path: string, which: string): GgufHeader => {
  try {
    return readGgufHeader(path)
  } catch (error) {
    throw error instanceof GgufError ? new GgufError(`${which}: ${error.message}`) : error
  }
}

const splitValue = ({ metadata }: GgufHeader, key: string): number | undefined => {
  const value = metadata.get(key)
  return typeof value === 'number' ? value : undefined
}
