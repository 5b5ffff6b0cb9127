/**
 * A client: OpenAI's own SDK, pointed at the server. docs/use.md has one in plain JavaScript; this one is built by
 * `npm run build`.
 *
 *     SALLYPORT_URL=http://127.0.0.1:8080/v1 SALLYPORT_API_KEY=… node examples/dist/openai-client.js "Why is the sky blue?"
 */
import { pathToFileURL } from 'node:url'
import OpenAI from 'openai'

export interface Question {
  /** Ends in `/v1`. */
  baseURL: string
  apiKey: string
  question: string
  /** The server's default chat model when absent. */
  model?: string
  /** Which safeguards the request asks for, beside those of the server's policies: `{ output: { toxicity: true } }`. */
  safeguards?: { input?: object; output?: object }
}

/** Yields the answer's words as they come. */
export async function* ask({ baseURL, apiKey, question, model, safeguards }: Question): AsyncGenerator<string> {
  const client = new OpenAI({ baseURL, apiKey })
  const first = model ?? (await client.models.list()).data[0]?.id
  if (first === undefined) throw new Error('the server has no model')
  const stream = await client.chat.completions.create({
    model: first,
    messages: [{ role: 'user', content: question }],
    stream: true,
    // The SDK sends what it does not know; TypeScript lets it pass where it is spread.
    ...safeguards,
  })
  for await (const chunk of stream) yield chunk.choices[0]?.delta.content ?? ''
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const baseURL = process.env['SALLYPORT_URL'] ?? 'http://127.0.0.1:8080/v1'
  const apiKey = process.env['SALLYPORT_API_KEY'] ?? ''
  // `… | head`: nobody reads the rest.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
  const question = process.argv.slice(2).join(' ') || 'Write one sentence about the sea.'
  try {
    for await (const word of ask({ baseURL, apiKey, question })) process.stdout.write(word)
    process.stdout.write('\n')
  } catch (error) {
    // A wrong key, or no server: what it says is enough.
    if (!(error instanceof OpenAI.APIError)) throw error
    console.error(`${baseURL}: ${error.message}`)
    process.exitCode = 1
  }
}
