/** So many values at a time; the last group may have fewer. */
export async function* inGroups<Value>(source: AsyncIterable<Value>, size: number): AsyncGenerator<Value[]> {
  let group: Value[] = []
  for await (const value of source) {
    group.push(value)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length) yield group
}
