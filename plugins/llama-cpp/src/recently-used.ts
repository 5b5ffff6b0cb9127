/** Values that are costly to make, by their keys: those that were used last are kept. */
export class RecentlyUsed<Value> {
  private readonly values = new Map<string, Value>()

  /** @param most values that are kept */
  constructor(private readonly most: number) {}

  get(key: string, make: () => Value): Value {
    const value = this.values.get(key) ?? make()
    this.values.delete(key)
    this.values.set(key, value)
    const [oldest] = this.values.keys()
    if (this.values.size > this.most && oldest !== undefined) this.values.delete(oldest)
    return value
  }
}
