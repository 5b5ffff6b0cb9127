const red =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mP4z8BAEmIY1TCqYfhqAACQ+f8B8u7oVwAAAABJRU5ErkJggg=='

/** A red square as base64, and what must not be taken for an image. */
export const images = {
  red,
  cut: red.slice(0, 40),
  /** Says of itself that it has 30,000 × 30,000 pixels. */
  huge: 'iVBORw0KGgoAAAANSUhEUgAAdTAAAHUwCAIAAADpRW/tAAAACElEQVR4nAMAAAAAAUgGidIAAAAASUVORK5CYII=',
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>').toString('base64'),
} as const
