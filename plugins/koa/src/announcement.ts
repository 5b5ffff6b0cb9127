/** What the person at the terminal is told when the server starts. */

import { isatty } from 'node:tty'
import { chat } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
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
      return ['The key in SALLYPORT_API_KEY is revoked or expired: supply another one.', createHint]
    case 'existing':
      return ['Key: one of those made before.', createHint]
  }
}

const createHint = 'For a new one: npx sallyport keys create --name <name>'

/** A line to paste, once models are ready; undefined when none answers conversations, or no key is known to work. */
export const tryLines = (kernel: Kernel, url: string, key: FirstKey | undefined): string | undefined => {
  const [model] = kernel.models(chat)
  if (!model || key?.origin === 'ended') return undefined
  const messages = [{ role: 'user', content: 'Say hello.' }]
  const body = JSON.stringify({ model: model.id, messages, max_tokens: 64 })
  return [
    key?.origin === 'existing' ? 'Ready. Put your key into SALLYPORT_API_KEY and try:' : 'Ready. Try:',
    `curl ${url}/v1/chat/completions ${credential(key)}-H 'Content-Type: application/json' -d ${quote(body)}`,
  ].join('\n')
}

const credential = (key: FirstKey | undefined): string => {
  if (!key) return ''
  return key.origin === 'created'
    ? `-H 'Authorization: Bearer ${key.key}' `
    : '-H "Authorization: Bearer $SALLYPORT_API_KEY" '
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
