/**
 * A thread of the child that ends the process when the parent has ended, and tells the parent that the process runs. The
 * main thread can do neither while native code holds it; this one always can. The pipe closes however the parent ended.
 */

import { Socket } from 'node:net'
import { lifelineDescriptor, pulseInterval } from './protocol.js'

const parent = new Socket({ fd: lifelineDescriptor, readable: true, writable: true })
parent.on('error', () => undefined)
parent.on('close', () => process.kill(process.pid, 'SIGKILL'))
parent.resume()

/** Nothing piles up for a parent that does not read. */
const beat = () => parent.writableLength === 0 && parent.write('.')
setInterval(beat, pulseInterval)
beat()
