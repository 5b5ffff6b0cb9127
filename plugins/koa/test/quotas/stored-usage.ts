import { setTimeout as sleep } from 'node:timers/promises'
import { usageFile, UsageDatabase } from '../../src/quotas/usage-database.js'
import type { UsageSum } from '../../src/quotas/usage-store.js'
import type { TestServer } from '../support/server.js'

/** What is stored of a server, by key, team and model. */
const stored = async (home: string): Promise<readonly UsageSum[]> => {
  const database = new UsageDatabase(usageFile(home))
  await database.open()
  try {
    return await database.sums(['key', 'team', 'model'], '2000-01-01')
  } finally {
    await database.close()
  }
}

/** What the key has used, once its group is stored. */
export const usedBy = async ({ home, keys }: TestServer, name = 'test') => {
  await sleep(250)
  const id = keys.list().find((record) => record.name === name)?.id
  const rows = (await stored(home)).filter(({ key }) => key === id)
  return rows.map(({ model, requests, tokensIn, tokensOut }) => ({ model, requests, tokensIn, tokensOut }))
}
