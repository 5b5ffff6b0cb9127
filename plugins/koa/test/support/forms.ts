/** Forms with files, as clients send them. */

import type { TestServer } from './server.js'

export type FormValue = string | File | readonly string[]

/** Fields in their order; a list is given several times. */
export const formOf = (fields: Readonly<Record<string, FormValue>>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    if (value instanceof File) form.append(name, value)
    else for (const one of [value].flat()) form.append(name, one)
  return form
}

export const fileOf = (content: string | Uint8Array<ArrayBuffer>, name = 'notes.txt'): File => new File([content], name)

export const postForm = (
  { url, key }: TestServer,
  path: string,
  fields: Readonly<Record<string, FormValue>>,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(url + path, { method: 'POST', headers: { authorization: `Bearer ${key}`, ...headers }, body: formOf(fields) })

/** A form as text, for what no client would send. */
export const rawForm = (parts: readonly string[], boundary = 'edge'): string =>
  parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('') + `--${boundary}--\r\n`
