/**
 * Measures how well credentials are found: what is caught of rows that are made for it (secret-rows.ts), and what of
 * ordinary texts is taken for one, by kind and half, with 95 % intervals. Compares with secrets.json beside it
 * (`--write` writes it), and fails where it got worse. `--show` prints what is missed, and what is found though it is
 * none.
 */

import plugin, { secrets } from '@sallyport/content-checks'
import { createKernel } from '@sallyport/kernel'
import { allowed, detect, tableOf, writeRows } from './detection.js'
import type { DetectionRow } from './detection.js'
import { ordinaryTexts } from './ordinary-texts.js'
import { secretRows } from './secret-rows.js'
import { compareOrWrite } from './table.js'

const positives = secretRows().map(({ kind, text, secret }): DetectionRow => ({
  text,
  label: true,
  groups: ['secrets'],
  source: kind,
  part: secret,
}))
const negatives = ordinaryTexts().map(({ kind, half, source, text }): DetectionRow => ({
  text,
  label: false,
  groups: [`ordinary, ${half}`, `ordinary, ${half}: ${kind}`],
  source,
}))
const rows = [...positives, ...negatives]
writeRows(rows)

const kernel = await createKernel({ plugins: [plugin] })
try {
  const table = tableOf(await detect(kernel.get(secrets, 'secrets'), rows), (group) => group === 'secrets')
  compareOrWrite('secrets.json', table, allowed)
} finally {
  await kernel.stop()
}
