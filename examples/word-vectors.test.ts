/** As `shout.test.ts`, for a backend: the kernel loads a model of it from a file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel } from '@sallyport/kernel'
import { embedding } from '@sallyport/core'
import { runConformance } from '@sallyport/testing'

/** Two subjects, and some words of each. */
const file = [
  ...['cat', 'sat', 'sitting', 'mat', 'apple'].map((word) => `${word} 0.9 0.1 0.2`),
  ...['revenue', 'grew', 'percent', 'quarter', 'railway', 'timetable', 'quantum'].map((word) => `${word} 0.1 0.9 -0.3`),
].join('\n')

const contextLength = 64

runConformance(embedding, {
  create: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'word-vectors-'))
    await writeFile(join(directory, 'few.txt'), file)
    const kernel = await createKernel(
      {
        // The compiled file, or the source under a runner that reads TypeScript: a process of its own imports it.
        plugins: [new URL('word-vectors.js', import.meta.url)],
        models: { few: { backend: 'word-vectors', source: './few.txt', options: { contextLength } } },
      },
      { baseDirectory: directory },
    )
    const dispose = async () => {
      await kernel.stop()
      await rm(directory, { recursive: true })
    }
    return { service: kernel.get(embedding), dispose }
  },
  facts: { contextLength, dimensions: 3 },
})
