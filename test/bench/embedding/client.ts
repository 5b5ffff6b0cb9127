import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'

/** The name under which the server has its model. */
export const model = 'model'

/** What is asked for vectors of texts. */
export const embeddingRequest = (input: string | readonly string[]) => ({
  path: '/embeddings',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model, input }),
})

/** Characters of an answer's end that hold its usage. */
const tail = 200

/** Asks for vectors, over connections that it keeps. They are read and thrown away. */
export class EmbeddingClient {
  private readonly agent = new Agent({ keepAlive: true })

  constructor(private readonly url: string) {}

  /** Resolves with the tokens of the texts. @throws for any answer but 200 */
  async embed(texts: readonly string[]): Promise<number> {
    const { path, headers, body } = embeddingRequest(texts)
    const sent = request(new URL(path, this.url), { method: 'POST', agent: this.agent, headers }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    let end = ''
    for await (const text of response.setEncoding('latin1') as AsyncIterable<string>) end = (end + text).slice(-tail)
    const tokens = /"prompt_tokens":(\d+)/.exec(end)?.[1]
    if (response.statusCode !== 200 || tokens === undefined)
      throw new Error(`no vectors: ${response.statusCode}, …${end}`)
    return Number(tokens)
  }

  close(): void {
    this.agent.destroy()
  }
}
