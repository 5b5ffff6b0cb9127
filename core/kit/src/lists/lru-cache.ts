import { LRUCache } from 'lru-cache'

/** Values by key, up to a total weight: the least recently used ones make room for others. A value may be undefined. */
export class LruCache<Value> {
  private readonly cache: LRUCache<string, { readonly value: Value }>

  /**
   * @param maxWeight of all values together; a value that is heavier by itself is not kept
   * @param weightOf an integer, of which 0 counts as 1; by default each value weighs 1
   */
  constructor(maxWeight: number, weightOf: (value: Value, key: string) => number = () => 1) {
    this.cache = new LRUCache({
      maxSize: maxWeight,
      sizeCalculation: ({ value }, key) => Math.max(1, weightOf(value, key)),
    })
  }

  get(key: string): Value | undefined {
    return this.cache.get(key)?.value
  }

  set(key: string, value: Value): void {
    this.cache.set(key, { value })
  }

  getOrMake(key: string, make: () => Value): Value {
    const known = this.cache.get(key)
    if (known) return known.value
    const value = make()
    this.set(key, value)
    return value
  }
}
