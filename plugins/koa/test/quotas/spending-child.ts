/** Ends one request after the other, and says so of each, until it is killed: arguments are the database and `sync`. */

import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLogger } from '@sallyport/core'
import { Quotas } from '../../src/quotas/quotas.js'
import { UsageDatabase } from '../../src/quotas/usage-database.js'

const [path = '', mode] = process.argv.slice(2)
const sync = mode === 'sync'
const quotas = new Quotas({ default: {}, teams: {}, prices: {}, sync }, new UsageDatabase(path, sync), silentLogger)
await quotas.prepare()
for (;;) {
  const charge = await quotas.open({ tenant: 'child' })
  charge.begin()
  charge.uses(2, 1)
  await charge.end()
  writeSync(1, `${Date.now()}\n`)
  await sleep(1)
}
