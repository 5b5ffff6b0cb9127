/** The format of a file, detected by its content. */
export type AudioFormat =
  | 'wav'
  | 'aiff'
  | 'flac'
  | 'mp3'
  | 'ogg-vorbis'
  | 'ogg-opus'
  | 'ogg-flac'
  | 'matroska'
  /** A format that ffmpeg decodes: its demuxer, and its name for messages. */
  | { readonly demuxer: string; readonly name: string }

/** Bytes at the beginning of a file that suffice to detect its format. */
export const headBytes = 64 * 1024

const ffmpegFormat = (demuxer: string, name: string): AudioFormat => ({ demuxer, name })

/** @param head the first {@link headBytes} of the file, or all of a shorter one */
export const detectFormat = (head: Buffer): AudioFormat | undefined => {
  const text = (start: number, end: number) => head.toString('latin1', start, end)
  const start = text(0, 4)
  if (['RIFF', 'RF64', 'BW64'].includes(start)) return riff(text(8, 12))
  if (start === 'FORM' && ['AIFF', 'AIFC'].includes(text(8, 12))) return 'aiff'
  if (start === 'fLaC') return 'flac'
  if (start === 'OggS') return ogg(text(0, 512))
  if (head.length >= 4 && head.readUInt32BE(0) === 0x1a45dfa3) return 'matroska'
  if (text(0, 3) === 'ID3') return formatAfterId3(head)
  if (isMp3(head)) return 'mp3'
  return detectFfmpegFormat(head, text)
}

const riff = (kind: string): AudioFormat | undefined =>
  kind === 'WAVE' ? 'wav' : kind === 'AVI ' ? ffmpegFormat('avi', 'AVI') : undefined

const ogg = (page: string): AudioFormat => {
  if (page.includes('OpusHead')) return 'ogg-opus'
  if (page.includes('\x01vorbis')) return 'ogg-vorbis'
  return page.includes('\x7fFLAC') ? 'ogg-flac' : ffmpegFormat('ogg', 'Ogg with this codec')
}

/** An ID3 tag precedes mp3, and sometimes other formats. Its length has 7 bits per byte. */
const formatAfterId3 = (head: Buffer): AudioFormat | undefined => {
  if (head.length < 10) return undefined
  const length = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (head.readUInt8(at) & 0x7f), 10)
  const rest = head.subarray(Math.min(length, head.length))
  if (rest.length < 4) return 'mp3'
  if (rest.toString('latin1', 0, 4) === 'fLaC') return 'flac'
  return isAdts(rest) ? ffmpegFormat('aac', 'AAC') : 'mp3'
}

/** Requires two frames in a row, after zeros that some programs write. */
const isMp3 = (head: Buffer): boolean => {
  let start = 0
  while (start < head.length && head[start] === 0) start += 1
  const length = mp3FrameLength(head, start)
  return length !== undefined && mp3FrameLength(head, start + length) !== undefined
}

const isAdts = (head: Buffer): boolean =>
  head.length > 6 && head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0 && ((head[2] ?? 0) & 0x3c) < 0x34

const detectFfmpegFormat = (head: Buffer, text: (start: number, end: number) => string): AudioFormat | undefined => {
  if (['ftyp', 'moov', 'mdat', 'wide'].includes(text(4, 8))) return ffmpegFormat('mov', 'MP4 (m4a, mov)')
  const found = magicNumbers.find(([beginning]) => text(0, beginning.length) === beginning)
  if (found) return ffmpegFormat(found[1], found[2])
  if (isAdts(head)) return ffmpegFormat('aac', 'AAC')
  return head.length > 376 && [0, 188, 376].every((at) => head[at] === 0x47)
    ? ffmpegFormat('mpegts', 'MPEG-TS')
    : undefined
}

const magicNumbers: readonly (readonly [string, string, string])[] = [
  ['caff', 'caf', 'CAF'],
  ['#!AMR', 'amr', 'AMR'],
  ['.snd', 'au', 'AU'],
  ['wvpk', 'wv', 'WavPack'],
  ['MAC ', 'ape', 'Monkey’s Audio'],
  ['FLV\x01', 'flv', 'FLV'],
  ['\x0b\x77', 'ac3', 'AC-3'],
  ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'asf', 'WMA'],
  ['\x00\x00\x01\xba', 'mpeg', 'MPEG'],
]

/** Kilobits per second: for MPEG 1 by layer (1, 2, 3), then for MPEG 2 (layer 1; layers 2 and 3). */
const bitrates = {
  1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  low1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  low: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const

const sampleRates = [44_100, 48_000, 32_000]

/** Length in bytes of the MPEG audio frame that begins at an offset; undefined where none does. */
const mp3FrameLength = (bytes: Buffer, at: number): number | undefined => {
  if (at + 4 > bytes.length) return undefined
  const header = bytes.readUInt32BE(at)
  const version = (header >>> 19) & 3
  const layer = 4 - ((header >>> 17) & 3)
  const bitrateIndex = (header >>> 12) & 15
  const sampleRateIndex = (header >>> 10) & 3
  if (header >>> 21 !== 0x7ff || version === 1 || layer === 4 || sampleRateIndex === 3) return undefined
  const isMpeg1 = version === 3
  const table = isMpeg1 ? bitrates[layer as 1 | 2 | 3] : layer === 1 ? bitrates.low1 : bitrates.low
  const bits = 1000 * (table[bitrateIndex] ?? 0)
  if (bits === 0) return undefined
  const rate = (sampleRates[sampleRateIndex] ?? 0) / (isMpeg1 ? 1 : version === 2 ? 2 : 4)
  const padding = (header >>> 9) & 1
  if (layer === 1) return 4 * (Math.floor((12 * bits) / rate) + padding)
  const samples = layer === 3 && !isMpeg1 ? 576 : 1152
  return Math.floor((samples / 8) * (bits / rate)) + padding
}
