interface Entry<Value> {
  readonly value: Value
  readonly weight: number
}

/** Values by their keys, up to a total weight: those that were used last are kept. */
export class RecentlyUsed<Value> {
  /** The one used last at the end. */
  private readonly entries = new Map<string, Entry<Value>>()
  private weight = 0

  /**
   * @param most weight of all values together; what is heavier than that is not kept
   * @param weigh by default each value weighs 1
   */
  constructor(
    private readonly most: number,
    private readonly weigh: (value: Value, key: string) => number = () => 1,
  ) {}

  get(key: string): Value | undefined {
    return this.use(key)?.value
  }

  set(key: string, value: Value): void {
    this.forget(key)
    const weight = this.weigh(value, key)
    if (weight > this.most) return
    this.entries.set(key, { value, weight })
    this.weight += weight
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.most) return
      this.forget(oldest)
    }
  }

  getOrMake(key: string, make: () => Value): Value {
    const known = this.use(key)
    if (known) return known.value
    const value = make()
    this.set(key, value)
    return value
  }

  private use(key: string): Entry<Value> | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry
  }

  private forget(key: string): void {
    this.weight -= this.entries.get(key)?.weight ?? 0
    this.entries.delete(key)
  }
}
