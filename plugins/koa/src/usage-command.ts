import { existsSync } from 'node:fs'
import type { CommandDefinition } from '@sallyport/core'
import { alignColumns } from '@sallyport/kit/text'
import { KeyStore, keysDirectory } from './auth/key-store.js'
import { secondsOf } from './duration.js'
import { invalidField } from './invalid-field.js'
import { dayOf } from './quotas/period.js'
import { UsageDatabase, usageFile } from './quotas/usage-database.js'
import { usageGroups } from './quotas/usage-store.js'
import type { UsageGroup, UsageSum } from './quotas/usage-store.js'

/** `sallyport usage` */
export const usageCommand: CommandDefinition = {
  name: 'usage',
  description: 'show what keys and teams have used; servers may run meanwhile',
  options: [
    { flags: '--by <columns>', description: `of ${usageGroups.join(', ')}, separated by commas`, default: 'key,model' },
    { flags: '--since <time>', description: 'of the last 24h, 30d, 1y, in whole days', default: '30d' },
    { flags: '--json', description: 'print a line of JSON per row' },
  ],
  run: async ({ options }, { home, print }) => {
    const { by = 'key,model', since = '30d', json } = options as { by?: string; since?: string; json?: true }
    const groups = groupsOf(by)
    const from = dayOf(Date.now() - secondsOf('--since', since) * 1000)
    const sums = await sumsOf(home, groups, from)
    const nameOf = keyNames(home)
    if (json) for (const sum of sums) print(JSON.stringify(withName(sum, nameOf)))
    else if (!sums.length) print(`Nothing was used since ${from}.`)
    else for (const row of alignColumns(tableOf(sums, groups, nameOf))) print(row)
  },
}

/** @throws invalid_request */
const groupsOf = (columns: string): UsageGroup[] =>
  columns.split(',').map((column) => {
    const group = usageGroups.find((name) => name === column.trim())
    if (group) return group
    throw invalidField('--by', `must name some of ${usageGroups.join(', ')}, separated by commas`)
  })

const sumsOf = async (home: string, groups: readonly UsageGroup[], since: string): Promise<readonly UsageSum[]> => {
  if (!existsSync(usageFile(home))) return []
  const database = new UsageDatabase(usageFile(home))
  await database.open()
  try {
    return await database.sums(groups, since)
  } finally {
    await database.close()
  }
}

/** Names of keys by id; of a key that was deleted, and without authentication, the id itself. */
const keyNames = (home: string): ((id: string) => string) => {
  const records = existsSync(keysDirectory(home)) ? new KeyStore(home).list() : []
  const names = new Map(records.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}

const withName = (sum: UsageSum, nameOf: (id: string) => string): object =>
  sum.key === undefined ? sum : { name: nameOf(sum.key), ...sum }

const tableOf = (
  sums: readonly UsageSum[],
  groups: readonly UsageGroup[],
  nameOf: (id: string) => string,
): string[][] => [
  [...groups.map((group) => group.toUpperCase()), 'REQUESTS', 'TOKENS IN', 'TOKENS OUT', 'COST'],
  ...sums.map((sum) => [
    ...groups.map((group) => (group === 'key' ? nameOf(sum.key ?? '') : sum[group]) || '-'),
    ...[sum.requests, sum.tokensIn, sum.tokensOut].map(String),
    sum.cost.toFixed(6),
  ]),
]
