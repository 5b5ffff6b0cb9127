/**
 * A client whose function the model calls, with OpenAI's own SDK: what the function returns is fed back, until the
 * model answers. The arguments are valid by the schema, because the tool is strict. `npm run build` builds it.
 *
 *     SALLYPORT_URL=http://127.0.0.1:8080/v1 SALLYPORT_API_KEY=… node examples/dist/tools.js "How warm is it in Oslo?"
 */
import { pathToFileURL } from 'node:url'
import OpenAI from 'openai'
import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from 'openai/resources'

/** A function that models may call. */
export interface CallableFunction {
  name: string
  description: string
  /** JSON Schema. */
  parameters: Record<string, unknown>
  run: (given: Record<string, unknown>) => string
}

export interface Conversation {
  /** Ends in `/v1`. */
  baseURL: string
  apiKey: string
  question: string
  model: string
  functions: readonly CallableFunction[]
  /** A small model calls nothing of its own accord: `required` makes it call first. */
  toolChoice?: 'auto' | 'required'
}

/** Questions to the model at most. */
const mostSteps = 8

/** What the model answers, having called what it wanted to. @throws Error where it does not come to an answer */
export const converse = async (conversation: Conversation): Promise<string> => {
  const { baseURL, apiKey, question, model, functions, toolChoice = 'auto' } = conversation
  const client = new OpenAI({ baseURL, apiKey })
  const tools = functions.map(toTool)
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: question }]
  for (let step = 0; step < mostSteps; step += 1) {
    const choice = step === 0 ? toolChoice : 'auto'
    const { choices } = await client.chat.completions.create({ model, messages, tools, tool_choice: choice })
    const message = choices[0]?.message
    if (!message?.tool_calls?.length) return message?.content ?? ''
    messages.push(message)
    for (const call of message.tool_calls)
      if (call.type === 'function')
        messages.push({ role: 'tool', tool_call_id: call.id, content: outputOf(call.function, functions) })
  }
  throw new Error(`no answer after ${mostSteps} steps`)
}

const toTool = ({ name, description, parameters }: CallableFunction): ChatCompletionFunctionTool => ({
  type: 'function',
  function: { name, description, parameters, strict: true },
})

const outputOf = (
  called: { readonly name: string; readonly arguments: string },
  functions: readonly CallableFunction[],
): string => {
  const found = functions.find(({ name }) => name === called.name)
  return found ? found.run(JSON.parse(called.arguments) as Record<string, unknown>) : `there is no ${called.name}`
}

const temperature: CallableFunction = {
  name: 'temperature',
  description: 'Tells the temperature of a city, in degrees Celsius.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', maxLength: 40 } },
    required: ['city'],
    additionalProperties: false,
  },
  run: ({ city }) => `It is 18 degrees in ${String(city)}.`,
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const answer = await converse({
    baseURL: process.env['SALLYPORT_URL'] ?? 'http://127.0.0.1:8080/v1',
    apiKey: process.env['SALLYPORT_API_KEY'] ?? '',
    model: process.env['SALLYPORT_MODEL'] ?? 'smollm2-135m-instruct',
    question: process.argv[2] ?? 'How warm is it in Oslo?',
    functions: [temperature],
    toolChoice: 'required',
  })
  console.log(answer)
}
