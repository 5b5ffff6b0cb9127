/**
 * Measures how well addresses that are not listed are found: what is caught of rows that are made for it
 * (link-rows.ts), and what is found in ordinary texts, by kind and half, with 95 % intervals: those in which a renderer
 * of Markdown shows such an address, and those in which it shows none. Compares with links.json beside it (`--write`
 * writes it), and fails where it got worse. `--show` prints where both differ.
 */

import plugin, { links } from '@sallyport/content-checks'
import { createKernel } from '@sallyport/kernel'
import { allowed, detect, tableOf, writeRows } from './detection.js'
import type { DetectionRow } from './detection.js'
import { linkRows } from './link-rows.js'
import { ordinaryTexts } from './ordinary-texts.js'
import { showsAddresses } from './shown-addresses.js'
import { compareOrWrite } from './table.js'

const positives = linkRows().map(({ kind, text }): DetectionRow => ({
  text,
  label: true,
  groups: ['links'],
  source: kind,
}))
const ordinary = ordinaryTexts().map(({ kind, half, source, text }): DetectionRow => {
  const label = showsAddresses(text)
  const name = `ordinary, ${half}, ${label ? 'shown' : 'none shown'}`
  return { text, label, groups: label ? [name] : [name, `${name}: ${kind}`], source }
})
const rows = [...positives, ...ordinary]
writeRows(rows)

const kernel = await createKernel({ plugins: [plugin] })
try {
  const isGood = (group: string) => !group.includes('none shown')
  compareOrWrite('links.json', tableOf(await detect(kernel.get(links, 'links'), rows), isGood), allowed)
} finally {
  await kernel.stop()
}
