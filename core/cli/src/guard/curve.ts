/** Recall against false alarms (the ROC curve), in plain text and as SVG. */

export interface CurvePoint {
  readonly falseAlarms: number
  readonly recall: number
}

const [columns, rows] = [51, 21]

/**
 * Lines of at most 60 characters: above each share of false alarms, the highest recall that costs no more of them.
 * @param points in the order of their false alarms
 */
export const plotCurve = (points: readonly CurvePoint[]): string[] => {
  const levels = Array.from({ length: columns }, (_, column) => {
    const best = points.findLast(({ falseAlarms }) => falseAlarms <= column / (columns - 1))
    return Math.round((best?.recall ?? 0) * (rows - 1))
  })
  const lines = Array.from({ length: rows }, (_, index) => {
    const level = rows - 1 - index
    const label = level % 5 ? '' : `${level * 5} %`
    return `${label.padStart(5)} |${levels.map((each) => (each === level ? '*' : ' ')).join('')}`.trimEnd()
  })
  const axis = `${' '.repeat(6)}+${'-'.repeat(columns)}`
  const numbers = `${' '.repeat(7)}0 %${'50 %'.padStart(25)}${'100 %'.padStart(23)}`
  return ['recall', ...lines, axis, numbers, `${' '.repeat(7)}harmless texts that raise a false alarm`]
}

/** @param points in the order of their false alarms */
export const drawCurve = (title: string, points: readonly CurvePoint[]): string => {
  const [x, y] = [(part: number) => (60 + 400 * part).toFixed(1), (part: number) => (440 - 400 * part).toFixed(1)]
  const places = [{ falseAlarms: 0, recall: 0 }, ...points].map((point) => `${x(point.falseAlarms)},${y(point.recall)}`)
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((part) => [
    `<path d="M${x(part)} 440v6M60 ${y(part)}h-6" stroke="black"/>`,
    `<text x="${x(part)}" y="462" text-anchor="middle">${part * 100} %</text>`,
    `<text x="50" y="${y(part)}" dy="4" text-anchor="end">${part * 100} %</text>`,
  ])
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 500" font-family="sans-serif" font-size="12">',
    '<rect width="500" height="500" fill="white"/>',
    `<text x="260" y="24" text-anchor="middle" font-size="14">${escapeXml(title)}</text>`,
    '<path d="M60 40V440H460" fill="none" stroke="black"/>',
    ...ticks,
    '<text x="260" y="486" text-anchor="middle">false alarms</text>',
    '<text transform="translate(14 240) rotate(-90)" text-anchor="middle">recall</text>',
    `<polyline points="${[...new Set(places)].join(' ')}" fill="none" stroke="blue" stroke-width="2"/>`,
    '</svg>',
    '',
  ].join('\n')
}

/** XML has no way to write control characters. */
const escapeXml = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\p{Cn}]/gu, '').replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
