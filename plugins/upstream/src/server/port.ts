import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

const host = '127.0.0.1'

/** Whether nobody listens on a port of this machine; 0 finds a free one. @returns the port, or undefined */
export const freePort = async (wanted: number): Promise<number | undefined> => {
  const probe = createServer()
  try {
    probe.listen(wanted, host)
    await once(probe, 'listening')
    return (probe.address() as AddressInfo).port
  } catch {
    return undefined
  } finally {
    probe.close()
  }
}
