import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect } from 'chai'
import { decodeFlac } from '../src/audio/wasm.js'
import { decoded, refusal } from './support/decoded.js'
import { temporaryFolder } from './support/files.js'
import { constantFlac } from './support/sounds.js'

const never = new AbortController().signal

const element = (id: string, data: Buffer): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(0x10000000 + data.length)
  return Buffer.concat([Buffer.from(id, 'hex'), size, data])
}

/** A Matroska file whose only track has this codec. @param before what stands before the track */
const matroska = (codec: string, before = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    element('1a45dfa3', Buffer.alloc(0)),
    Buffer.from('18538067ff', 'hex'),
    before,
    element(
      '1654ae6b',
      element('ae', Buffer.concat([element('d7', Buffer.from([1])), element('86', Buffer.from(codec))])),
    ),
    element('1f43b675', Buffer.alloc(0)),
  ])

describe('audio that is made to do harm', function () {
  this.timeout(60_000)
  const file = temporaryFolder()

  it('is decoded in blocks that are small, however much a byte becomes', async () => {
    let [largest, frames] = [0, 0]
    for await (const { channels } of decodeFlac(
      file(constantFlac({ channels: 8, frames: 100, size: 65_535, rateOf: () => 48_000 })),
      never,
    )) {
      largest = Math.max(largest, channels.length * (channels[0]?.length ?? 0))
      frames += channels[0]?.length ?? 0
    }
    expect(frames).to.equal(100 * 65_535)
    expect(largest * 4).to.be.below(64 * 2 ** 20)
  })

  it('is refused where it changes its rate with every block', async () => {
    const flac = constantFlac({ channels: 1, frames: 5000, size: 16, rateOf: (index) => 16_000 + 4000 * (index % 7) })
    expect(await refusal(file(flac))).to.match(/changes its sample rate/)
  })

  const voids = Buffer.alloc(8 * 2 ** 20, Buffer.from('ec80', 'hex'))

  it('lets others work while its elements are counted, and is refused where these are too many', async () => {
    const path = file(matroska('A_OPUS', voids))
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    expect(await refusal(path)).to.match(/no audio track/)
    delay.disable()
    expect(delay.max / 1e6).to.be.below(500)
  })

  it('is given up with the request while its elements are looked through', async () => {
    const controller = new AbortController()
    const reading = decoded(file(Buffer.concat([matroska('A_OPUS'), voids])), controller.signal)
    setTimeout(() => controller.abort(new Error('enough')), 5)
    expect(String(await reading.catch((error: unknown) => error))).to.equal('Error: enough')
  })

  for (const [codec, called] of [
    ['A_AAC', 'A_AAC'],
    ['A_PCM/INT/LIT', 'A_PCM'],
    [`A_${'call 555-0100 '.repeat(1000)}`, 'another codec'],
  ] as const)
    it(`names its codec only where that has a name: ${codec.slice(0, 20)}`, async () => {
      const path = process.env['PATH']
      process.env['PATH'] = ''
      try {
        const message = await refusal(file(matroska(codec)))
        expect(message).to.include(`WebM or Matroska with ${called}, which needs ffmpeg`)
        expect(message.length).to.be.below(250)
      } finally {
        process.env['PATH'] = path
      }
    })
})
