import { fileURLToPath } from 'node:url'
import { createKernel } from '@sallyport/kernel'
import { inference } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { PpOcrEngine } from '../../src/ocr/index.js'
import { engineCases } from './support/engine-cases.js'

describe('OCR by PP-OCR', function () {
  // the models may have to be fetched
  this.timeout(300_000)
  let kernel: Kernel | undefined
  let engine: PpOcrEngine
  before(async () => {
    const started = await createKernel(
      {
        plugins: ['@sallyport/onnx'],
        models: { 'pp-ocrv6-det': { backend: 'onnx' }, 'pp-ocrv6-rec': { backend: 'onnx' } },
      },
      { baseDirectory: fileURLToPath(new URL('.', import.meta.url)) },
    )
    kernel = started
    engine = new PpOcrEngine({
      detector: () => started.get(inference, 'pp-ocrv6-det'),
      recogniser: () => started.get(inference, 'pp-ocrv6-rec'),
    })
  })
  after(async () => {
    await engine.close()
    await kernel?.stop()
  })
  engineCases(() => engine)
})
