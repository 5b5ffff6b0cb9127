interface Visit {
  readonly key: string
  readonly index: number
  low: number
  readonly pending: string[]
}

/**
 * Strongly connected components, those that are contained before those that contain them (Tarjan's algorithm, without
 * recursion: graphs may be deep).
 */
export const components = (keys: Iterable<string>, leadsTo: (key: string) => Iterable<string>): string[][] => {
  const found: string[][] = []
  const visits = new Map<string, Visit>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const begin = (key: string): Visit => {
    const visit = { key, index: visits.size, low: visits.size, pending: [...leadsTo(key)] }
    visits.set(key, visit)
    open.push(key)
    isOpen.add(key)
    return visit
  }
  const close = (root: string): void => {
    const component = open.splice(open.lastIndexOf(root))
    for (const key of component) isOpen.delete(key)
    found.push(component)
  }
  for (const key of keys) {
    if (visits.has(key)) continue
    const path = [begin(key)]
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const next = at.pending.pop()
      const seen = next === undefined ? undefined : visits.get(next)
      if (next !== undefined && !seen) path.push(begin(next))
      else if (next !== undefined && seen) at.low = isOpen.has(next) ? Math.min(at.low, seen.index) : at.low
      else {
        path.pop()
        const parent = path.at(-1)
        if (parent) parent.low = Math.min(parent.low, at.low)
        if (at.low === at.index) close(at.key)
      }
    }
  }
  return found
}
