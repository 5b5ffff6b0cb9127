import type { Path } from '@sallyport/kit/json'
import type { Where } from '@sallyport/kit/schemas'

interface Place {
  readonly key: string
  readonly value: string
}

const separator = '\u0000'
const join = (path: Path) => path.join(separator)

/** Where each key and value of a configuration is written. */
export class Places {
  private readonly places = new Map<string, Place>()

  set(path: Path, place: Place): void {
    this.places.set(join(path), place)
  }

  has(path: Path): boolean {
    return this.places.has(join(path))
  }

  /** Forgets the places at and below the path; the label stands for them. */
  replace(path: Path, label: string): void {
    const key = join(path)
    for (const known of this.places.keys()) if (known.startsWith(key + separator)) this.places.delete(known)
    this.places.set(key, { key: label, value: label })
  }

  /** The place of the path or, where a default was filled in, of the nearest parent that is in the file. */
  readonly where: Where = (path, part = 'value') => {
    const place = this.places.get(join(path))
    if (place) return place[part]
    return path.length ? this.where(path.slice(0, -1), 'key') : undefined
  }
}
