import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { findProgram } from '@sallyport/kit/processes'
import { sampleRate } from '../samples.js'
import { unsupported } from './block.js'
import type { AudioBlock, AudioDecoder } from './block.js'

/**
 * Decodes with ffmpeg to one channel at the rate of the models. The demuxer is fixed, so that ffmpeg never chooses one
 * that opens other files (as those of playlists do), and only the file protocol is allowed.
 * @param name the name of the format, for messages
 */
export const ffmpegDecoder = (demuxer: string, name: string): AudioDecoder =>
  async function* (path, signal): AsyncGenerator<AudioBlock> {
    const program = findProgram('ffmpeg')
    if (program === undefined)
      throw unsupported(
        `the file is ${name}, which needs ffmpeg on the server: have it installed, or send wav, mp3, flac, ogg, ` +
          'webm or aiff',
      )
    yield* decode(program, [...input(demuxer, path), ...output], name, signal)
  }

const input = (demuxer: string, path: string) => [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-protocol_whitelist', 'file'],
  ...['-f', demuxer, '-i', `file:${resolve(path)}`],
]

const output = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-ac', '1', '-ar', String(sampleRate), '-f', 'f32le', 'pipe:1']

async function* decode(
  program: string,
  args: readonly string[],
  name: string,
  signal: AbortSignal,
): AsyncGenerator<AudioBlock> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true })
  const ended = new Promise<number | Error | null>((done) => {
    child.once('error', done)
    child.once('close', done)
  })
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  let count = 0
  try {
    for await (const samples of wholeSamples(child.stdout)) {
      signal.throwIfAborted()
      count += samples.length
      yield { rate: sampleRate, channels: [samples] }
    }
    const code = await ended
    signal.throwIfAborted()
    if (code !== 0 && count === 0)
      throw unsupported(
        `the file looks like ${name}, and ffmpeg cannot decode it`,
        code instanceof Error ? code : undefined,
      )
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}

/** Joins samples that chunks of the pipe have split. */
async function* wholeSamples(stream: AsyncIterable<Buffer>): AsyncGenerator<Float32Array> {
  let rest = Buffer.alloc(0)
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, chunk])
    const length = bytes.length - (bytes.length % 4)
    if (length) yield new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + length))
    rest = Buffer.from(bytes.subarray(length))
  }
}
