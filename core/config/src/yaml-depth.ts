import type { CST } from 'yaml'

/** How deep the syntax tree is nested. Iterative: the tree may be deeper than the stack. */
export const depthOf = (tokens: readonly CST.Token[]): number => {
  const waiting: (readonly [token: CST.Token, depth: number])[] = tokens.map((token) => [token, 0])
  let deepest = 0
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [token, depth] = next
    deepest = Math.max(deepest, depth)
    for (const child of children(token)) waiting.push([child, depth + 1])
  }
  return deepest
}

const children = (token: CST.Token): readonly CST.Token[] => {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value]).filter((child) => child !== null && child !== undefined)
}
