/** Listens to scripted answers, and compares what was heard with what may be. */

import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { EventParser } from '../client/sse.js'
import { isBlocked, marks } from './script.js'

/** What became of an answer. */
export interface Heard {
  readonly said: string
  readonly blocked: boolean
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[]
  readonly error?: unknown
}

interface Answer {
  readonly choices: readonly { readonly message: { readonly content: string } }[]
}

export class Listener {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: Infinity })

  constructor(private readonly url: string) {}

  async streamed(script: number): Promise<Heard> {
    const response = await this.post(`script ${script}`, true)
    if (response.statusCode !== 200) return { said: '', blocked: isBlock(await text(response)) }
    const parser = new EventParser()
    let said = ''
    let blocked = false
    for await (const bytes of response)
      for (const data of parser.push(bytes as Uint8Array)) {
        if (data === '[DONE]') continue
        const { choices = [], error } = JSON.parse(data) as Chunk
        said += choices.map(({ delta }) => delta?.content ?? '').join('')
        if (error !== undefined) blocked = isBlock(data)
      }
    return { said, blocked }
  }

  /** In one piece: of a script that blocks, what stands before that. @throws for any answer but 200 */
  async whole(script: number): Promise<string> {
    const response = await this.post(`script ${script} up to the block`, false)
    const body = await text(response)
    if (response.statusCode !== 200) throw new Error(`script ${script}: ${response.statusCode} ${body}`)
    return (JSON.parse(body) as Answer).choices[0]?.message.content ?? ''
  }

  close(): void {
    this.agent.destroy()
  }

  private async post(content: string, stream: boolean): Promise<IncomingMessage> {
    const body = JSON.stringify({ model: 'scripted', stream, messages: [{ role: 'user', content }] })
    const headers = { 'content-type': 'application/json' }
    const sent = request(`${this.url}/v1/chat/completions`, { method: 'POST', agent: this.agent, headers }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response
  }
}

/** @throws where it failed for another reason */
const isBlock = (error: string): boolean => {
  if (!error.includes('failed toxicity check')) throw new Error(`a stream ended with ${error}`)
  return true
}

/** Whether part of a secret was heard. */
export const hasLeaked = ({ said }: Heard): boolean => marks.test(said)

/** Whether something is missing, was moved, or came after the block. @param whole what the unstreamed call says */
export const isOtherwise = (script: number, { said, blocked }: Heard, whole: string): boolean =>
  blocked !== isBlocked(script) || (blocked ? !whole.startsWith(said) : said !== whole)
