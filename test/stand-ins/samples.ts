import { nameOfMember } from '@sallyport/core'
import type { AnyShape, EitherShape, ListShape, OneOfShape } from '@sallyport/core'

/** Makes the member of an object at the end of the way: its value, or an accessor. */
type Place = (holder: object, key: string) => void

/**
 * A value of the shape, of what must be there (of several fields that may be absent, the first) and of what leads to
 * the leaf at the path: there `place` puts something.
 */
export const sampleOf = (shape: AnyShape, path: readonly string[] = [], place?: Place): unknown => {
  const holder: { value?: unknown } = {}
  put(holder, 'value', shape, path, place)
  return holder.value
}

const put = (holder: object, key: string, shape: AnyShape, path: readonly string[], place?: Place): void => {
  if (path.length && typeof shape === 'object' && '$either' in shape)
    put(holder, key, (shape as EitherShape).$either[path[0] === '1' ? 1 : 0], path.slice(1), place)
  else if (!path.length && place) place(holder, key)
  else Object.assign(holder, { [key]: insideOf(shape, path, place) })
}

const insideOf = (shape: AnyShape, path: readonly string[], place?: Place): unknown => {
  const [step, ...rest] = path
  if (typeof shape === 'string') return plain[shape] ?? 'x'
  if ('opaque' in shape) return 'x'
  if ('$bytes' in shape) return Uint8Array.of(1)
  if ('$json' in shape) return { a: ['x', 1, true, null] }
  if ('$oneOf' in shape) return Object.keys((shape as OneOfShape).$oneOf)[0]
  if ('$list' in shape) return listOf((shape as ListShape).$list, rest, place)
  if ('$either' in shape) return insideOf((shape as EitherShape).$either[0], rest, place)
  const value: object = {}
  const keys = Object.keys(shape)
  const needed = step ?? (keys.every((key) => key.endsWith('?')) ? keys[0] : undefined)
  for (const [key, inner] of Object.entries(shape)) {
    if (key.endsWith('?') && key !== needed) continue
    const [way, puts] = key === step ? [rest, place] : [[], undefined]
    put(value, key === '*' ? 'key' : nameOfMember(key), inner, way, puts)
  }
  return value
}

const listOf = (item: AnyShape, path: readonly string[], place?: Place): unknown[] => {
  const items: unknown[] = []
  put(items, '0', item, path, place)
  return items
}

const plain: Readonly<Record<string, unknown>> = { number: 1, boolean: true, floats: Float32Array.of(1) }
