/** A committed table of what was measured, beside the scripts: what is measured now is compared with it. */

import { readFileSync, writeFileSync } from 'node:fs'

/** Figures by the name of a row; more is better. */
export type Table = Readonly<Record<string, Readonly<Record<string, number>>>>

/** Every figure that is lower than it was by as much as is allowed, or gone. */
export const worsened = (
  known: Table,
  now: Table,
  allowed: (figure: string, row: Readonly<Record<string, number>>) => number,
): string[] =>
  Object.entries(known).flatMap(([name, row]) =>
    Object.entries(row).flatMap(([figure, before]) => {
      const value = now[name]?.[figure]
      if (value !== undefined && value > before - allowed(figure, row)) return []
      return [`${name}: ${figure} was ${before.toFixed(3)}, and is ${value?.toFixed(3) ?? 'not measured'}`]
    }),
  )

/** Compares with the file of this name (`--write` writes it); the process fails where something got worse. */
export const compareOrWrite = (file: string, now: Table, allowed: Parameters<typeof worsened>[2]): void => {
  const url = new URL(`../../quality/${file}`, import.meta.url)
  if (process.argv.includes('--write')) {
    writeFileSync(url, `${JSON.stringify(now, undefined, 2)}\n`)
    return
  }
  const problems = worsened(JSON.parse(readFileSync(url, 'utf8')) as Table, now, allowed)
  for (const problem of problems) console.error(`got worse: ${problem}`)
  if (problems.length) process.exitCode = 1
}
