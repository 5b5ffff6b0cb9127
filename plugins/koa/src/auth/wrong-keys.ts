import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { failure } from '@sallyport/core'
import { MinuteWindow } from '../quotas/minute-window.js'
import { authenticate } from './credential.js'
import type { Authenticator, Identity } from './credential.js'

/** Addresses that are remembered; those that sent a wrong key longest ago are forgotten first. */
const maxAddresses = 10_000

/** Slows down who guesses keys: an address may send so many wrong ones a minute. Right ones work all the time. */
export class WrongKeys {
  private readonly byAddress = new Map<string, MinuteWindow>()

  /**
   * @param perMinute 0: no limit
   * @param now milliseconds of a clock that never goes back
   */
  constructor(
    private readonly perMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws unauthenticated; rate_limited where the address has sent too many wrong keys of late */
  authenticate({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>, keys: Authenticator): Identity {
    try {
      return authenticate(headers, keys)
    } catch (error) {
      const isWrong = headers.authorization !== undefined || headers['x-api-key'] !== undefined
      if (isWrong && this.perMinute) this.count(blockOf(socket.remoteAddress ?? ''))
      throw error
    }
  }

  /** How many addresses are remembered. */
  get size(): number {
    return this.byAddress.size
  }

  private count(address: string): void {
    const now = this.now()
    const window = this.byAddress.get(address) ?? new MinuteWindow(now)
    this.byAddress.delete(address)
    this.byAddress.set(address, window)
    const [oldest] = this.byAddress.keys()
    if (this.byAddress.size > maxAddresses && oldest !== undefined) this.byAddress.delete(oldest)
    const wait = window.timeUntil(1, now, this.perMinute)
    window.use(1, now, this.perMinute)
    if (!wait) return
    const problem = 'too many wrong keys came from this address: send a valid key, or wait'
    throw failure('rate_limited', { problem }, { retryAfter: Math.ceil(wait / 1000) })
  }
}

/** The address, or of IPv6 the network of 64 bits, of which one host may have every address. */
const blockOf = (address: string): string => {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0')
  return [...groups, ...(tail === undefined ? [] : zeros), ...rest].slice(0, 4).join(':')
}
