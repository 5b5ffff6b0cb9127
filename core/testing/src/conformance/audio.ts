/** Sample recordings. */

interface WavFormat {
  /** Samples per second. */
  readonly rate: number
  readonly channels: number
  readonly bits: 8 | 16
}

const defaultFormat: WavFormat = { rate: 16_000, channels: 1, bits: 16 }

/** A tone from `start` to `end`, in seconds. */
interface Tone {
  readonly start: number
  readonly end: number
  /** 0..1 */
  readonly amplitude: number
}

/** A WAV file of the given seconds, silent but for the tones. */
export const wavOf = (seconds: number, tones: readonly Tone[], format: WavFormat = defaultFormat): Buffer => {
  const { rate, channels, bits } = format
  const frames = Math.round(seconds * rate)
  const data = Buffer.alloc((frames * channels * bits) / 8, bits === 8 ? 128 : 0)
  for (let frame = 0; frame < frames; frame++) {
    const value = sampleAt(frame / rate, tones)
    for (let channel = 0; channel < channels; channel++) {
      const position = frame * channels + channel
      if (bits === 8) data.writeUInt8(Math.round(128 + 127 * value), position)
      else data.writeInt16LE(Math.round(32_767 * value), position * 2)
    }
  }
  return Buffer.concat([riffHeader(data.length, format), data])
}

const sampleAt = (time: number, tones: readonly Tone[]): number => {
  const tone = tones.find(({ start, end }) => time >= start && time < end)
  return tone ? tone.amplitude * Math.sin(2 * Math.PI * 440 * time) : 0
}

const riffHeader = (length: number, { rate, channels, bits }: WavFormat): Buffer => {
  const header = Buffer.alloc(44)
  const frame = (channels * bits) / 8
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * frame, 28)
  header.writeUInt16LE(frame, 32)
  header.writeUInt16LE(bits, 34)
  header.write('data', 36)
  header.writeUInt32LE(length, 40)
  return header
}

const tones: readonly Tone[] = [
  { start: 0.3, end: 0.8, amplitude: 0.8 },
  { start: 1.2, end: 1.6, amplitude: 0.1 },
]

export const tonesWav = wavOf(2, tones)

export const otherTonesWav = wavOf(3, [...tones, { start: 2, end: 2.5, amplitude: 0.4 }])

export const silentWav = wavOf(2, [])

/** Recordings of the same two seconds as {@link tonesWav}, by their sample format. */
export const otherFormats: Readonly<Record<string, Buffer>> = {
  '8 kHz, 8 bit': wavOf(2, tones, { rate: 8000, channels: 1, bits: 8 }),
  '44.1 kHz, stereo': wavOf(2, tones, { rate: 44_100, channels: 2, bits: 16 }),
}

/** A file whose header claims four times as many bytes as there are. */
export const truncatedWav = (): Buffer => {
  const bytes = Buffer.from(tonesWav)
  bytes.writeUInt32LE(4 * bytes.length, 40)
  return bytes
}

/** Files that are not audio, by what they are. */
export const brokenAudio: Readonly<Record<string, Buffer>> = {
  'no bytes': Buffer.alloc(0),
  'random bytes': Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 89 + 7) % 256)),
  'plain text': Buffer.from('This is not audio. '.repeat(50)),
}
