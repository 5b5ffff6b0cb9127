/** A capability of one's own has no conformance suite: its tests ask the kernel, as callers do. */
import assert from 'node:assert/strict'
import { createKernel } from '@sallyport/kernel'
import type { Kernel } from '@sallyport/core'
import plugin, { headline } from './headline.js'
import shouting from './shouting.js'

describe('headlines', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [plugin, shouting], policies: { default: { output: { shouting: true } } } })
  })
  after(() => kernel.stop())

  const write = async (article: string, words?: number) => {
    const pieces: string[] = []
    for await (const { delta } of kernel.get(headline).write({ article, ...(words && { words }) })) pieces.push(delta)
    return pieces.join('')
  }

  it('are the first words', async () => {
    assert.equal(await write('A river has flooded the old town of Passau.', 4), 'A river has flooded')
  })

  it('are guarded', async () => {
    await assert.rejects(write('MAYOR RESIGNS TODAY'), { code: 'content_blocked' })
  })
})
