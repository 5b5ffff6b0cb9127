/**
 * A thread of the child that ends the process when the parent has ended or it takes more memory than it may, and tells
 * the parent that the process runs. The main thread can do nothing of that while native code holds it; this one always
 * can. The pipe closes however the parent ended.
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

/** Nothing piles up for a parent that does not read. */
const beat = () => parent.writableLength === 0 && parent.write('.')
setInterval(beat, pulseInterval)
beat()

/** Bytes. What native code and WebAssembly take, no limit of V8 holds. */
const memory = workerData as number
const memoryInterval = 50
const watchMemory = () => {
  const taken = process.memoryUsage.rss()
  if (taken <= memory) return
  // standard error becomes the log: nothing else would say why
  writeSync(2, `ended: it took ${taken} bytes of memory, and may take ${memory}\n`)
  end()
}
if (memory < Infinity) setInterval(watchMemory, memoryInterval)
