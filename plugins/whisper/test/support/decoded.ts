import { expect } from 'chai'
import { SallyportError } from '@sallyport/core'
import { openAudio } from '../../src/audio/open-audio.js'
import { concatenate } from '../../src/samples.js'

const never = new AbortController().signal

/** The samples of a file at 16 kHz. */
export const decoded = async (path: string, signal: AbortSignal = never): Promise<Float32Array> => {
  const parts: Float32Array[] = []
  for await (const samples of openAudio(path, 16_000, signal)) parts.push(samples)
  return concatenate(parts)
}

/** The message where the file is refused as unsupported. */
export const refusal = async (path: string): Promise<string> => {
  const error: unknown = await decoded(path).catch((reason: unknown) => reason)
  expect(error).to.be.instanceOf(SallyportError)
  expect((error as SallyportError).code).to.equal('unsupported_media')
  return (error as SallyportError).message
}
