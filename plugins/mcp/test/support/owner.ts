/** A process that has tool servers, for a test that kills it. Prints the ids of their processes. */

import { fileURLToPath } from 'node:url'
import { outputText } from '@sallyport/core'
import { startKernel } from './kernels.js'

const program = fileURLToPath(new URL('program.js', import.meta.url))
const servers = { odd: { command: process.execPath, args: [program, 'grandchild'] } }
const { tools } = await startKernel({ servers }, process.argv[2])
const result = await tools.call({ server: 'odd', name: 'echo', arguments: {} })
process.stdout.write(`${outputText(result)}\n`)
setInterval(() => undefined, 1000)
