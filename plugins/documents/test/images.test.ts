/** Images of text, through the kernel. */

import { createKernel } from '@sallyport/kernel'
import { extraction } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { expect } from 'chai'
import sharp from 'sharp'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import documents from '../src/index.js'
import { drawnText } from './ocr/support/drawn-text.js'

describe('images of text', function () {
  this.timeout(60_000)
  let kernel: Kernel
  const directory = useTemporaryDirectory()
  before(async () => {
    kernel = await createKernel({ plugins: [documents], models: { documents: { backend: 'documents' } } })
  })
  after(() => kernel.stop())

  for (const format of ['png', 'jpeg', 'webp', 'tiff'] as const)
    it(`are read without any configuration: ${format}`, async () => {
      const { width, height, data } = drawnText(['HELLO WORLD', 'SECOND LINE'], 6)
      const file = directory.write(
        `image-${format}`,
        await sharp(data, { raw: { width, height, channels: 3 } })
          .toFormat(format)
          .toBuffer(),
      )
      const request = { file, fileName: 'image', format: 'text', ocr: true } as const
      const { parts } = await kernel.get(extraction).extract(request, testCall())
      const text = parts.map((part) => part.text).join('')
      expect(text.replace(/\s+/g, ' ').toUpperCase()).to.contain('HELLO WORLD').and.to.contain('SECOND LINE')
    })

  it('are refused by models that are not there', async () => {
    const models = { documents: { backend: 'documents', options: { detector: 'a', recogniser: 'b' } } }
    const error = await createKernel({ plugins: [documents], models }).catch((reason: unknown) => String(reason))
    expect(error).to.contain('its option detector names "a"')
  })

  it('need both models', async () => {
    const models = { documents: { backend: 'documents', options: { detector: 'a' } } }
    const error = await createKernel({ plugins: [documents], models }).catch((reason: unknown) => String(reason))
    expect(error).to.contain('recogniser')
  })
})
