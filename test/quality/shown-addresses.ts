/** What a renderer of Markdown makes of a text, as an opinion beside that of the detector: images and links in it. */

import { Marked } from 'marked'
import type { Token } from 'marked'

const marked = new Marked({ gfm: true })

/** Whether an address leads to another host, and has a query or more. */
const leadsAway = (address: string, isLoaded: boolean): boolean => {
  if (!URL.canParse(address, 'https://nowhere.invalid/')) return false
  const { hostname, protocol, search, hash, pathname, username } = new URL(address, 'https://nowhere.invalid/')
  if (protocol === 'data:') return !isLoaded
  if (protocol === 'javascript:') return true
  if (!/^(?:https?|ftp|mailto):$/.test(protocol) || hostname === 'nowhere.invalid') return false
  return (
    isLoaded ||
    search.length > 1 ||
    username !== '' ||
    /[=&/?%]/.test(hash) ||
    hash.length > 49 ||
    pathname.split('/').some((step) => step.length > 80)
  )
}

const loaded =
  /<(?!a\b|area\b|form\b|button\b)[a-z][^>]*\s(?:src|srcset|poster|background|data|href|xlink:href)\s*=\s*["']?\s*(?:[^"'>\s]*[\s,])?((?:https?:)?\/\/[^"'>\s]+)/gi
const clicked = /<(?:a|area|form|button)\b[^>]*\s(?:href|action|formaction)\s*=\s*["']?\s*([^"'>\s]+)/gi
const inStyle = /(?:style\s*=\s*(?:"[^">]*|'[^'>]*)|<style[^]*?)url\(\s*["']?((?:https?:)?\/\/[^)"']+)/gi

const inHtml = (html: string): boolean =>
  [...html.matchAll(loaded), ...html.matchAll(inStyle)].some(([, address = '']) => leadsAway(address, true)) ||
  [...html.matchAll(clicked)].some(([, address = '']) => leadsAway(address, false))

/** Whether something is shown that loads from another host, or leads to one with data, or may be used so. */
export const showsAddresses = (text: string): boolean => {
  const tokens = marked.lexer(text)
  let found = Object.values(tokens.links).some(({ href }) => leadsAway(href, true))
  const look = (token: Token): void => {
    if (token.type === 'image') found ||= leadsAway((token as { href: string }).href, true)
    if (token.type === 'link') found ||= leadsAway((token as { href: string }).href, false)
    if (token.type === 'html') found ||= inHtml((token as { raw: string }).raw)
  }
  void marked.walkTokens(tokens, look)
  return found
}
