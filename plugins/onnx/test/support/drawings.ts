import sharp from 'sharp'

const squares = Array.from({ length: 64 }, (_, cell) => {
  const fill = cell % 7 === 3 || cell % 11 === 5 ? '#000' : '#fff'
  return `<rect x="${(cell % 8) * 28}" y="${Math.floor(cell / 8) * 28}" width="28" height="28" fill="${fill}" stroke="#333"/>`
})
const hours = Array.from(
  { length: 12 },
  (_, hour) => `<path d="M112 38 v16" stroke="#111" stroke-width="5" transform="rotate(${hour * 30} 112 112)"/>`,
)

/** Of things that the classifier knows, by its names for them. */
const drawings = {
  'traffic light': `<rect width="224" height="224" fill="#9cc4e8"/><rect x="104" y="170" width="16" height="54" fill="#444"/>
    <rect x="72" y="20" width="80" height="160" rx="14" fill="#181818"/><circle cx="112" cy="52" r="20" fill="#f22"/>
    <circle cx="112" cy="100" r="20" fill="#540"/><circle cx="112" cy="148" r="20" fill="#041"/>`,
  'analog clock': `<rect width="224" height="224" fill="#d8c8a8"/>
    <circle cx="112" cy="112" r="90" fill="#fff" stroke="#222" stroke-width="10"/>${hours.join('')}
    <path d="M112 112 L112 55 M112 112 L150 130" stroke="#111" stroke-width="6"/>`,
  crossword: `<rect width="224" height="224" fill="#fff"/>${squares.join('')}`,
}

export type Drawing = keyof typeof drawings
export const drawingNames = Object.keys(drawings) as Drawing[]

/** A simple image of a thing, as a PNG file. */
export const draw = (name: Drawing): Promise<Buffer> =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="224" height="224">${drawings[name]}</svg>`))
    .png()
    .toBuffer()

/** The same seen on a sheet of another form, larger, as a JPEG file. */
export const drawAgain = async (name: Drawing): Promise<Buffer> =>
  sharp(await draw(name))
    .resize(448, 448)
    .extend({ left: 40, right: 40, background: 'white' })
    .jpeg({ quality: 80 })
    .toBuffer()
