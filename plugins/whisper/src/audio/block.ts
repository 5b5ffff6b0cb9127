import { failure } from '@sallyport/core'

/** Decoded sound, some of a file's. */
export interface AudioBlock {
  /** Samples per second. */
  readonly rate: number
  /** Samples of each channel, -1..1; all channels are of equal length. */
  readonly channels: readonly Float32Array[]
}

/** Reads a file from its beginning to its end, a block at a time. */
export type Decoder = (path: string, signal: AbortSignal) => AsyncIterable<AudioBlock>

export const unsupported = (problem: string, cause?: unknown) =>
  failure('unsupported_media', { problem }, ...(cause === undefined ? [] : [{ cause }]))

const maxChannels = 64
export const rates = { lowest: 1000, highest: 768_000 } as const

/** What a header may say of the sound. @throws unsupported_media */
export const checkFormat = (rate: number, channels: number): void => {
  if (!(rate >= rates.lowest && rate <= rates.highest))
    throw unsupported(`the file says that it has ${rate} samples a second, which is not possible`)
  if (!(channels >= 1 && channels <= maxChannels))
    throw unsupported(`the file says that it has ${channels} channels: at most ${maxChannels} are read`)
}
