import { unsupported } from './block.js'

/** What the decoder is told, from the header of an Opus stream (RFC 7845, section 5.1). Stereo without one. */
export const opusOptions = (head: Buffer | undefined) => {
  if (!head || head.length < 19 || head.toString('latin1', 0, 8) !== 'OpusHead') return { channels: 2 }
  const channels = head.readUInt8(9)
  const preSkip = head.readUInt16LE(10)
  if (head.readUInt8(18) === 0) return { channels, preSkip }
  if (head.length < 21 + channels) throw unsupported('the header of the Opus stream is cut off')
  return {
    channels,
    preSkip,
    streamCount: head.readUInt8(19),
    coupledStreamCount: head.readUInt8(20),
    channelMappingTable: [...head.subarray(21, 21 + channels)],
  }
}
