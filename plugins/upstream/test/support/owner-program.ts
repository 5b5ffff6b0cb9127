/** A process that has a supervised server, for tests that kill it. Prints what the server says of itself. */

import { answerOf, loadModel } from './models.js'

const model = await loadModel({
  server: { command: process.execPath, args: [process.argv[2], '{port}'], env: { WITH_CHILD: '1', IGNORE_TERM: '1' } },
})
process.stdout.write(`${(await answerOf(model.chat())).text}\n`)
