/** Characters by chance, the same for the same seed. */

import { randomNumbers } from '@sallyport/kit/numbers'

/** Makes what values of programs are made of. */
export class Chance {
  private readonly random: () => number

  constructor(seed: number) {
    this.random = randomNumbers(seed)
  }

  below(most: number): number {
    return Math.floor(this.random() * most)
  }

  oneOf<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  /** So many characters of a set. */
  of(set: string, count: number): string {
    return Array.from({ length: count }, () => set[this.below(set.length)]).join('')
  }

  letters = (count: number): string => this.of('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', count)
  capitals = (count: number): string => this.of('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', count)
  small = (count: number): string => this.of('abcdefghijklmnopqrstuvwxyz0123456789', count)
  hexadecimal = (count: number): string => this.of('0123456789abcdef', count)
  digits = (count: number): string => this.of('0123456789', count)
  base64 = (bytes: number): string =>
    Buffer.from(Array.from({ length: bytes }, () => this.below(256))).toString('base64')
  url = (count: number): string =>
    this.base64(count)
      .replace(/[+/=]/g, () => this.letters(1))
      .slice(0, count)
  uuid = (): string => [8, 4, 4, 4, 12].map((count) => this.hexadecimal(count)).join('-')
}
