/**
 * A thread of the child that kills the process when the parent has ended or the process exceeds its memory limit, and
 * that sends heartbeats to the parent. The main thread cannot do this while native code blocks it. The pipe closes
 * however the parent ended.
 */

import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { workerData } from 'node:worker_threads'
import { watchdogDescriptor, watchdogInterval, watchdogNotice } from './protocol.js'

const parent = new Socket({ fd: watchdogDescriptor, readable: true, writable: true })
parent.on('error', () => undefined)
const killProcess = () => void process.kill(process.pid, 'SIGKILL')
parent.on('close', killProcess)
parent.resume()

/** Writes only while nothing is buffered here, so that nothing piles up for a parent that does not read. */
const sendHeartbeat = () => parent.writableLength === 0 && parent.write('.')
setInterval(sendHeartbeat, watchdogInterval)
sendHeartbeat()

/** Bytes that the process may take. V8's own limits do not cover native code and WebAssembly. */
const memoryLimit = workerData as number
const memoryCheckInterval = 50
const watchMemory = () => {
  const rss = process.memoryUsage.rss()
  if (rss <= memoryLimit) return
  writeSync(2, `${watchdogNotice}it used ${rss} bytes of memory, more than its limit of ${memoryLimit}\n`)
  killProcess()
}
if (memoryLimit < Infinity) setInterval(watchMemory, memoryCheckInterval)
