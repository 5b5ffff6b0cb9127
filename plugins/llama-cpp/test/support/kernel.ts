import { createKernel } from '@sallyport/kernel'
import type { Kernel } from '@sallyport/core'

const plugin = new URL('../../src/index.js', import.meta.url)

/** A kernel with models from these files, each in a process of its own. */
export const kernelOf = (files: Readonly<Record<string, string>>, options: object = {}): Promise<Kernel> =>
  createKernel(
    {
      plugins: [plugin],
      models: Object.fromEntries(Object.keys(files).map((id) => [id, { backend: 'llama-cpp', source: id, options }])),
    },
    { fileSource: { resolve: (id) => Promise.resolve({ files: { model: files[id] ?? '' } }) } },
  )
