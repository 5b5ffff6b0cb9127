/** A server program for the supervisor: `node server-program.js <port>`. The environment says how it behaves. */

import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { streamText, says, ends } from './answers.js'

const { EXIT_AT_ONCE, NEVER_READY, IGNORE_TERM, WITH_CHILD } = process.env

if (EXIT_AT_ONCE) {
  process.stderr.write('cannot open the model\n')
  process.exit(3)
}
if (IGNORE_TERM) process.on('SIGTERM', () => undefined)
const child = WITH_CHILD ? spawn('sleep', ['600'], { stdio: 'ignore' }) : undefined

/** What the tests want to know of it. */
const about = {
  pid: process.pid,
  cwd: process.cwd(),
  child: child?.pid,
  args: process.argv.slice(2),
  variables: Object.keys(process.env),
}

process.stdout.write(`${JSON.stringify(about)}\n`)

const chat = (text: string, response: ServerResponse) => {
  if (text.includes('please crash')) process.exit(9)
  response.setHeader('content-type', 'text/event-stream')
  if (text.includes('begin and crash')) response.write(`data: ${JSON.stringify(says('a'))}\n\n`, () => process.exit(9))
  else response.end(streamText(says(JSON.stringify(about)), ends()))
}

const server = createServer((request, response) => {
  if (request.url === '/health') return void response.writeHead(NEVER_READY ? 503 : 200).end()
  if (request.method === 'GET') return void response.end('{"data":[{"id":"big-model"}]}')
  let text = ''
  request.setEncoding('utf8').on('data', (part: string) => (text += part))
  request.on('end', () => chat(text, response))
})
server.listen(Number(process.argv[2]), '127.0.0.1')
