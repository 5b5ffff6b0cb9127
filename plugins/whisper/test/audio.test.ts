import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { deinterleave } from '../src/audio/pcm.js'
import type { SampleFormat } from '../src/audio/pcm.js'
import { decoded, refusal } from './support/decoded.js'
import { temporaryFolder } from './support/files.js'
import { aiff, chunk, flac, s16, sampleFormats, tone, wav } from './support/sounds.js'

const rate = 16_000
const fixture = (name: string) => fileURLToPath(new URL(`../../test/fixtures/${name}`, import.meta.url))

/** Root mean square of a second's middle, and how often it crosses zero upwards in a second. */
const measured = (samples: Float32Array) => {
  const middle = samples.subarray(samples.length / 4, (3 * samples.length) / 4)
  const level = Math.sqrt(middle.reduce((sum, value) => sum + value * value, 0) / middle.length)
  const crossings = middle.filter((value, index) => value > 0 && (middle[index - 1] ?? 1) <= 0).length
  return { level, hertz: (crossings * rate) / middle.length }
}

const expectTone = (samples: Float32Array, seconds = 1) => {
  expect(samples.length / rate).to.be.closeTo(seconds, 0.07)
  const { level, hertz } = measured(samples)
  expect(level).to.be.closeTo(0.5 * Math.SQRT1_2, 0.03)
  expect(hertz).to.be.closeTo(440, 5)
}

describe('audio is decoded by its content', () => {
  const file = temporaryFolder()

  for (const [name, options] of Object.entries(sampleFormats))
    it(`wav, ${name}`, async () => expectTone(await decoded(file(wav(tone(440, rate, 1), options)))))

  for (const other of [8000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000])
    it(`wav, ${other} samples a second`, async () =>
      expectTone(await decoded(file(wav(tone(440, other, 1), { ...s16, rate: other })))))

  for (const channels of [2, 3, 4, 6, 8])
    it(`wav, ${channels} channels`, async () =>
      expectTone(await decoded(file(wav(tone(440, rate, 1), { ...s16, channels })))))

  it('aiff', async () => expectTone(await decoded(file(aiff(tone(440, 44_100, 1), 44_100)))))
  for (const compression of ['sowt', 'SOWT'] as const)
    it(`aiff, little-endian (${compression})`, async () =>
      expectTone(await decoded(file(aiff(tone(440, 22_050, 1), 22_050, compression)))))
  it('flac', async () => expectTone(await decoded(file(flac(tone(440, 44_100, 1), 44_100)))))
  for (const name of ['tone.mp3', 'tone.ogg', 'tone.opus', 'tone.webm'])
    it(name, async () => expectTone(await decoded(fixture(name))))

  it('whatever its name says', async () =>
    expectTone(await decoded(file(readFileSync(fixture('tone.mp3')), 'talk.wav'))))

  it('mp3 after a tag with a picture', async () => {
    const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x10\0', 'latin1'), Buffer.alloc(2048)])
    expectTone(await decoded(file(Buffer.concat([tag, readFileSync(fixture('tone.mp3'))]))))
  })

  it('A-law and µ-law, after the tables of G.711', () => {
    const values = (kind: SampleFormat['kind'], codes: number[]) =>
      Array.from(deinterleave(Buffer.from(codes), 1, { kind, width: 1, bigEndian: false })[0] ?? [], (value) =>
        Math.round(value * 32_768),
      )
    expect(values('alaw', [0xd5, 0x55, 0xaa, 0x2a, 0x80, 0x1a])).to.deep.equal([8, -8, 32_256, -32_256, 5504, -4032])
    expect(values('mulaw', [0xff, 0x80, 0x00, 0xce, 0x4e])).to.deep.equal([0, 32_124, -32_124, 988, -988])
  })
})

describe('audio that is not what it says', () => {
  const file = temporaryFolder()
  const good = wav(tone(440, rate, 1), s16)
  const withHeader = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(good)
    change(bytes)
    return bytes
  }
  const dataSize = good.indexOf('data') + 4

  const answered: Readonly<Record<string, Buffer>> = {
    'more bytes than there are': withHeader((bytes) => bytes.writeUInt32LE(0x7fffffff, dataSize)),
    'a size that was never filled in': withHeader((bytes) => bytes.writeUInt32LE(0, dataSize)),
    'the size of a stream': withHeader((bytes) => bytes.writeUInt32LE(0xffffffff, dataSize)),
    'a wrong size of blocks': withHeader((bytes) => bytes.writeUInt16LE(7, 32)),
    'a size of all that is too small': withHeader((bytes) => bytes.writeUInt32LE(4, 4)),
  }
  for (const [name, bytes] of Object.entries(answered))
    it(`wav with ${name} is read as far as it goes`, async () => expectTone(await decoded(file(bytes))))

  const cut = (bytes: Buffer, share: number) => bytes.subarray(0, Math.round(bytes.length * share))
  for (const [name, bytes] of Object.entries({
    wav: good,
    aiff: aiff(tone(440, rate, 1), rate),
    flac: flac(tone(440, rate, 1), rate),
    mp3: readFileSync(fixture('tone.mp3')),
    ogg: readFileSync(fixture('tone.ogg')),
    opus: readFileSync(fixture('tone.opus')),
    webm: readFileSync(fixture('tone.webm')),
  })) {
    it(`${name} that is cut off is read as far as it goes`, async () => {
      const length = (await decoded(file(cut(bytes, 0.8)))).length / rate
      expect(length).to.be.within(0.3, 1)
    })
    it(`${name} that is cut off in its header is refused`, async () => {
      expect(await refusal(file(bytes.subarray(0, 20)))).to.match(/^the (file|header)/)
    })
  }

  const refused: Readonly<Record<string, readonly [Uint8Array, RegExp]>> = {
    'no byte': [Buffer.alloc(0), /empty/],
    'a text': [Buffer.from('no audio '.repeat(100)), /not audio/],
    'an image': [Buffer.from('\x89PNG\r\n\x1a\n'.padEnd(900, 'x'), 'latin1'), /not audio/],
    'wav without a sample': [wav(new Float32Array(), s16), /no sample/],
    'wav without a description': [
      chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), chunk('data', Buffer.alloc(99))])),
      /no fmt chunk/,
    ],
    'wav with no channel': [withHeader((bytes) => bytes.writeUInt16LE(0, 22)), /0 channels/],
    'wav with 65,535 channels': [withHeader((bytes) => bytes.writeUInt16LE(65_535, 22)), /65535 channels/],
    'wav with no sample a second': [withHeader((bytes) => bytes.writeUInt32LE(0, 24)), /rate of 0 Hz/],
    'wav with 4 GHz': [withHeader((bytes) => bytes.writeUInt32LE(4_000_000_000, 24)), /4000000000 Hz/],
    'wav with ADPCM': [withHeader((bytes) => bytes.writeUInt16LE(2, 20)), /tag 2/],
    'wav with samples of 0 bits': [
      withHeader((bytes) => (bytes.writeUInt16LE(0, 34), bytes.writeUInt16LE(0, 32))),
      /0 bits/,
    ],
    'flac without a frame': [flac(new Float32Array(), rate), /no audio that can be decoded/],
  }
  for (const [name, [bytes, problem]] of Object.entries(refused))
    it(`${name} is refused`, async () => expect(await refusal(file(bytes))).to.match(problem))
})
