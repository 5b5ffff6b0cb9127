import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { isAlive } from '@sallyport/stand-ins/processes'
import { until } from '@sallyport/stand-ins/promises'
import { detectFormat } from '../src/audio/format.js'
import { decoded, refusal } from './support/decoded.js'
import { temporaryFolder } from './support/files.js'

const m4a = Buffer.from('\0\0\0\x20ftypM4A \0\0\0\0'.padEnd(200, '\0'), 'latin1')

describe('formats that need ffmpeg', () => {
  const file = temporaryFolder()
  const path = process.env['PATH']
  afterEach(() => (process.env['PATH'] = path))

  /** A program of this name, before all others. */
  const install = (script: string) => {
    chmodSync(file(`#!/bin/sh\n${script}\n`, 'ffmpeg'), 0o755)
    process.env['PATH'] = `${file.folder}:${path}`
  }

  const decode = async (signal?: AbortSignal) => (await decoded(file(m4a), signal)).length

  it('are refused without it, and the refusal says so', async () => {
    process.env['PATH'] = ''
    expect(await refusal(file(m4a))).to.match(/MP4 \(m4a, mov\), which needs ffmpeg/)
  })

  it('are read through it, however its pipe cuts the samples', async () => {
    install('head -c 6401 /dev/zero; sleep 0.1; head -c 25599 /dev/zero')
    expect(await decode()).to.equal(8000)
  })

  it('are read by the demuxer of their content, from this file alone', async () => {
    install(`case "$*" in *"-protocol_whitelist file -f mov -i file:/"*) head -c 64 /dev/zero ;; *) exit 1 ;; esac`)
    expect(await decode()).to.equal(16)
  })

  it('are refused when it fails', async () => {
    install('exit 1')
    expect(await refusal(file(m4a))).to.match(/ffmpeg cannot decode it/)
  })

  it('are given up with the request', async () => {
    const note = join(file.folder, 'pid')
    install(`echo $$ > ${note}.new; mv ${note}.new ${note}; exec sleep 100`)
    const controller = new AbortController()
    const reading = decode(controller.signal).catch((error: unknown) => error)
    await until(() => existsSync(note))
    const pid = Number(readFileSync(note, 'utf8'))
    expect(isAlive(pid)).to.equal(true)
    controller.abort(new Error('enough'))
    expect(String(await reading)).to.equal('Error: enough')
    await until(() => !isAlive(pid))
  })

  for (const [bytes, demuxer] of [
    [m4a, 'mov'],
    [Buffer.from('caff\0\x01'), 'caf'],
    [Buffer.from('#!AMR\n'), 'amr'],
    [Buffer.from('fff15080', 'hex').subarray(0), undefined],
    [Buffer.from('fff150800000000000', 'hex'), 'aac'],
    [Buffer.from('3026b2758e66cf11', 'hex'), 'asf'],
    [Buffer.from('#EXTM3U\n/etc/passwd'), undefined],
    [Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'"), undefined],
  ] as const)
    it(`"${bytes.toString('latin1', 0, 8).replace(/[^ -~]/g, '.')}" is for ${demuxer ?? 'none'}`, () => {
      const format = detectFormat(bytes)
      expect(typeof format === 'object' ? format.demuxer : format).to.equal(demuxer)
    })
})
