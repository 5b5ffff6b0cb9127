/**
 * A thread of the child that ends the process when the parent has ended. The main thread notices it only when native
 * code lets it run; this one always does. The pipe closes however the parent ended.
 */

import { Socket } from 'node:net'
import { lifelineDescriptor } from './protocol.js'

const parent = new Socket({ fd: lifelineDescriptor, readable: true, writable: false })
parent.on('error', () => undefined)
parent.on('close', () => process.kill(process.pid, 'SIGKILL'))
parent.resume()
