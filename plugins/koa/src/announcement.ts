/** The messages on the terminal when the server starts. */

import { isatty } from 'node:tty'
import { chat, completion, embedding, rerank, tokens } from '@sallyport/core'
import type { Capability, Kernel } from '@sallyport/core'
import { ownCommand } from '@sallyport/kit/installation'
import { shellQuoted } from './auth/exposed-files.js'
import type { StartupKey } from './auth/startup-key.js'

/** Whether announcements and the log go to the same terminal, so that the log need not repeat them. */
export const isLogOnTerminal = (): boolean => isatty(process.stdout.fd) && isatty(process.stderr.fd)

export const listeningLine = (url: string): string => `Sallyport listens on ${url}`

/** Announces the key. It comes last, so that it stays on the screen; a new key is shown only this once. */
export const keyLine = (key: StartupKey | undefined): string => {
  switch (key?.origin) {
    case undefined:
      return 'Key: none is needed; everyone on this machine may use the server.'
    case 'created':
      return `Keep the key, it is not shown again:\nKey: ${key.key}`
    case 'supplied':
      return 'Key: the one in SALLYPORT_API_KEY'
    case 'supplied_inactive':
      return `Key: the one in SALLYPORT_API_KEY is revoked or expired: supply another one, or ${createHint()}`
    case 'existing':
      return `Key: one of those made before, or ${createHint()}`
  }
}

const createHint = () => `a new one: ${ownCommand()} keys create --name <name>`

/** Requests that show what capabilities do; the first one for which a model is loaded is shown. */
const exampleRequests: readonly { capability: Capability; path: string; body: object }[] = [
  {
    capability: chat,
    path: '/v1/chat/completions',
    body: {
      messages: [{ role: 'user', content: 'Write one sentence about the sea.' }],
      max_tokens: 64,
      temperature: 0,
    },
  },
  { capability: completion, path: '/v1/completions', body: { prompt: 'Once upon a time', max_tokens: 64 } },
  { capability: embedding, path: '/v1/embeddings', body: { input: 'A cat sat on the mat.' } },
  { capability: rerank, path: '/v1/rerank', body: { query: 'a pet', documents: ['A cat purrs.', 'A car honks.'] } },
  { capability: tokens, path: '/v1/tokenize', body: { input: 'A cat sat on the mat.' } },
]

/** Announces that models are ready: an example to paste, where there is a model and a valid key, and the key. */
export const readyLines = (kernel: Kernel, url: string, key: StartupKey | undefined): string =>
  [...exampleLines(kernel, url, key), keyLine(key)].join('\n')

const exampleLines = (kernel: Kernel, url: string, key: StartupKey | undefined): string[] => {
  const example = exampleRequests.find(({ capability }) => kernel.models(capability).length > 0)
  const [model] = example ? kernel.models(example.capability) : []
  if (!example || !model || key?.origin === 'supplied_inactive') return ['Ready.']
  const body = JSON.stringify({ model: model.id, ...example.body })
  return [
    key?.origin === 'existing' ? 'Ready. Put your key into SALLYPORT_API_KEY and try:' : 'Ready. Try:',
    `curl ${url}${example.path} ${authorizationArgument(key)}-H 'Content-Type: application/json' -d ${shellQuoted(body)}`,
  ]
}

const authorizationArgument = (key: StartupKey | undefined): string => {
  if (!key) return ''
  return key.origin === 'created'
    ? `-H 'Authorization: Bearer ${key.key}' `
    : '-H "Authorization: Bearer $SALLYPORT_API_KEY" '
}
