/** What the person at the terminal is told when the server starts. */

import { isatty } from 'node:tty'
import { chat, completion, embedding, rerank, tokens } from '@sallyport/core'
import type { Capability, Kernel } from '@sallyport/core'
import { ownCommand } from '@sallyport/kit/installation'
import type { FirstKey } from './auth/first-key.js'

/** Whether whoever reads what is announced reads the log, too: then it need not say the same. */
export const isReadWithLog = (): boolean => isatty(process.stdout.fd) && isatty(process.stderr.fd)

/** The address, as soon as the server listens. */
export const listeningLine = (url: string): string => `Sallyport listens on ${url}`

/** The key, behind all that scrolls past; one that was made is shown this once. */
export const keyLine = (key: FirstKey | undefined): string => {
  switch (key?.origin) {
    case undefined:
      return 'Key: none is needed, everyone on this machine may use it.'
    case 'created':
      return `Keep the key, it is not shown again:\nKey: ${key.key}`
    case 'supplied':
      return 'Key: the one in SALLYPORT_API_KEY'
    case 'ended':
      return `Key: the one in SALLYPORT_API_KEY is revoked or expired: supply another one, or ${createHint()}`
    case 'existing':
      return `Key: one of those made before, or ${createHint()}`
  }
}

const createHint = () => `a new one: ${ownCommand()} keys create --name <name>`

/** A request that shows what a capability does. */
interface Trial {
  readonly capability: Capability
  readonly path: string
  readonly body: object
}

/** The first one that a model answers is shown. */
const trials: readonly Trial[] = [
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

/** Once models are ready: a line to paste, where one answers and a key is known to work, and the key. */
export const readyLines = (kernel: Kernel, url: string, key: FirstKey | undefined): string =>
  [...tryLines(kernel, url, key), keyLine(key)].join('\n')

const tryLines = (kernel: Kernel, url: string, key: FirstKey | undefined): string[] => {
  const trial = trials.find(({ capability }) => kernel.models(capability).length > 0)
  const [model] = trial ? kernel.models(trial.capability) : []
  if (!trial || !model || key?.origin === 'ended') return ['Ready.']
  const body = JSON.stringify({ model: model.id, ...trial.body })
  return [
    key?.origin === 'existing' ? 'Ready. Put your key into SALLYPORT_API_KEY and try:' : 'Ready. Try:',
    `curl ${url}${trial.path} ${credential(key)}-H 'Content-Type: application/json' -d ${quote(body)}`,
  ]
}

const credential = (key: FirstKey | undefined): string => {
  if (!key) return ''
  return key.origin === 'created'
    ? `-H 'Authorization: Bearer ${key.key}' `
    : '-H "Authorization: Bearer $SALLYPORT_API_KEY" '
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
