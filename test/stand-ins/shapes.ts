import type { AnyShape, EitherShape, ListShape } from '@sallyport/core'

type Members = Readonly<Record<string, AnyShape>>

/** What is inside a shape, by the steps that lead there: `$list` and `$either` are some. */
const insideOf = (shape: AnyShape): readonly (readonly [string, AnyShape])[] => {
  if (typeof shape === 'string' || 'opaque' in shape || '$bytes' in shape || '$json' in shape || '$oneOf' in shape)
    return []
  if ('$list' in shape) return [['$list', (shape as ListShape).$list]]
  if ('$either' in shape) return (shape as EitherShape).$either.map((each, at) => [String(at), each] as const)
  return Object.entries(shape as Members)
}

const isMember = (shape: AnyShape) => typeof shape !== 'string' && !('$list' in shape) && !('$either' in shape)

/** The way to every member of every object in the shape. */
export const membersOf = (shape: AnyShape, path: readonly string[] = []): (readonly string[])[] =>
  insideOf(shape).flatMap(([step, inner]) => {
    const here = [...path, step]
    return [...(isMember(shape) ? [here] : []), ...membersOf(inner, here)]
  })

/** Every part of the shape that has nothing inside, with the way to it. */
export const leavesOfShape = (
  shape: AnyShape,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly leaf: AnyShape }[] => {
  const inside = insideOf(shape)
  return inside.length
    ? inside.flatMap(([step, inner]) => leavesOfShape(inner, [...path, step]))
    : [{ path, leaf: shape }]
}

/** The shape without the member at the path. */
export const withoutMember = (shape: AnyShape, [step, ...rest]: readonly string[]): AnyShape => {
  if (step === undefined || typeof shape === 'string') return shape
  if ('$list' in shape) return { $list: withoutMember((shape as ListShape).$list, rest) }
  if ('$either' in shape) {
    const parts = (shape as EitherShape).$either.map((each, at) =>
      String(at) === step ? withoutMember(each, rest) : each,
    )
    return { $either: parts as unknown as EitherShape['$either'] }
  }
  return Object.fromEntries(
    Object.entries(shape as Members).flatMap(([name, inner]): [string, AnyShape][] => {
      if (name !== step) return [[name, inner]]
      return rest.length ? [[name, withoutMember(inner, rest)]] : []
    }),
  )
}
