/** What the person at the terminal is told when the server starts. */

import { isatty } from 'node:tty'
import { chat, completion, embedding, ownCommand, rerank, tokens } from '@sallyport/core'
import type { Capability, Kernel } from '@sallyport/core'
import type { FirstKey } from './auth/first-key.js'

/** Whether whoever reads what is announced reads the log, too: then it need not say the same. */
export const isReadWithLog = (): boolean => isatty(process.stdout.fd) && isatty(process.stderr.fd)

/** Address and key, as soon as the server listens. */
export const listeningLines = (url: string, key: FirstKey | undefined): string =>
  [`Sallyport listens on ${url}`, ...keyLines(key)].join('\n')

const keyLines = (key: FirstKey | undefined): string[] => {
  switch (key?.origin) {
    case undefined:
      return ['Authentication is off: everyone on this machine may use it.']
    case 'created':
      return [`Key: ${key.key}`, 'Keep it: it is not shown again.']
    case 'supplied':
      return ['Key: the one in SALLYPORT_API_KEY']
    case 'ended':
      return ['The key in SALLYPORT_API_KEY is revoked or expired: supply another one.', createHint()]
    case 'existing':
      return ['Key: one of those made before.', createHint()]
  }
}

const createHint = () => `For a new one: ${ownCommand()} keys create --name <name>`

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
    body: { messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 64, temperature: 0 },
  },
  { capability: completion, path: '/v1/completions', body: { prompt: 'Once upon a time', max_tokens: 64 } },
  { capability: embedding, path: '/v1/embeddings', body: { input: 'A cat sat on the mat.' } },
  { capability: rerank, path: '/v1/rerank', body: { query: 'a pet', documents: ['A cat purrs.', 'A car honks.'] } },
  { capability: tokens, path: '/v1/tokenize', body: { input: 'A cat sat on the mat.' } },
]

/** A line to paste, once models are ready; undefined when none answers any of them, or no key is known to work. */
export const tryLines = (kernel: Kernel, url: string, key: FirstKey | undefined): string | undefined => {
  const trial = trials.find(({ capability }) => kernel.models(capability).length > 0)
  const [model] = trial ? kernel.models(trial.capability) : []
  if (!trial || !model || key?.origin === 'ended') return undefined
  const body = JSON.stringify({ model: model.id, ...trial.body })
  return [
    key?.origin === 'existing' ? 'Ready. Put your key into SALLYPORT_API_KEY and try:' : 'Ready. Try:',
    `curl ${url}${trial.path} ${credential(key)}-H 'Content-Type: application/json' -d ${quote(body)}`,
  ].join('\n')
}

const credential = (key: FirstKey | undefined): string => {
  if (!key) return ''
  return key.origin === 'created'
    ? `-H 'Authorization: Bearer ${key.key}' `
    : '-H "Authorization: Bearer $SALLYPORT_API_KEY" '
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
