import { failure } from '@sallyport/core'

/** What stands for the port in `url` and in the arguments of a server of our own. */
const portMark = /\{port\}/g

export const withPort = (text: string, port: number): string => text.replace(portMark, String(port))

/** @throws config_invalid */
export const parseBaseUrl = (text: string, model: string): URL => {
  const invalid = (problem: string) => failure('config_invalid', { problem: `models.${model}.options.url: ${problem}` })
  if (!URL.canParse(text)) throw invalid('this is no URL')
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) throw invalid('only http and https are supported')
  if (url.username || url.password) throw invalid('a URL must not hold credentials: use the option apiKey or headers')
  url.hash = ''
  return url
}

/** A path under the base URL; its query, where it has one, stays. */
export const under = (base: URL, path: string): URL => {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url
}

/** A path beside the `/v1` of the base URL. */
export const beside = (base: URL, path: string): URL => {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '') + path
  return url
}

/** This machine: never reached through a proxy. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
