/**
 * A thread of the child that kills the process when the parent has ended or the process exceeds its memory limit, and
 * that gives the parent signs of life. The main thread cannot do this while native code blocks it. The pipe closes
 * however the parent ended.
 */

import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { workerData } from 'node:worker_threads'
import { lifelineDescriptor, pulseInterval } from './protocol.js'

const parent = new Socket({ fd: lifelineDescriptor, readable: true, writable: true })
parent.on('error', () => undefined)
const end = () => void process.kill(process.pid, 'SIGKILL')
parent.on('close', end)
parent.resume()

/** Writes only into an empty pipe, so that nothing piles up for a parent that does not read. */
const beat = () => parent.writableLength === 0 && parent.write('.')
setInterval(beat, pulseInterval)
beat()

/** Bytes that the process may take. V8's own limits do not cover native code and WebAssembly. */
const memory = workerData as number
const memoryInterval = 50
const watchMemory = () => {
  const taken = process.memoryUsage.rss()
  if (taken <= memory) return
  // The parent logs standard error; nothing else would tell why the process ended.
  writeSync(2, `ended: it took ${taken} bytes of memory, and may take ${memory}\n`)
  end()
}
if (memory < Infinity) setInterval(watchMemory, memoryInterval)
