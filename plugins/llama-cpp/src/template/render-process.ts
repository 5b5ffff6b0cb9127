/**
 * The process that renders. A template is a program of whoever made the model file: it is ended from outside, and by
 * itself should whoever started it be gone.
 */

import { Script } from 'node:vm'
import { Template } from '@huggingface/jinja'
import type { RenderReply, RenderSetup, TemplateVariables } from './render-protocol.js'

process.title = 'sallyport: chat template'

/** Milliseconds: longer than anybody waits for an answer. */
const maxMilliseconds = 30_000
const work = Symbol.for('sallyport.render')
const script = new Script("globalThis[Symbol.for('sallyport.render')]()")

const reply = (message: RenderReply) => process.send?.(message)

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown')

/** A loop that does not end is left by an exception. */
const bounded = (task: () => RenderReply): RenderReply => {
  Object.assign(globalThis, { [work]: task })
  return script.runInThisContext({ timeout: maxMilliseconds }) as RenderReply
}

const render = (parsed: Template, variables: TemplateVariables, maxOutputLength: number): RenderReply => {
  try {
    const text = parsed.render({ ...variables })
    return text.length > maxOutputLength ? { type: 'oversized' } : { type: 'rendered', text }
  } catch (error) {
    return { type: 'refused', reason: reasonOf(error) }
  }
}

const start = ({ template, maxOutputLength }: RenderSetup): RenderReply => {
  try {
    const parsed = new Template(template)
    process.on('message', (variables: TemplateVariables) =>
      reply(bounded(() => render(parsed, variables, maxOutputLength))),
    )
    return { type: 'ready' }
  } catch (error) {
    return { type: 'broken', reason: reasonOf(error) }
  }
}

// those to the whole group or service are for the model's process, which finishes what it has begun
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.once('message', (setup: RenderSetup) => reply(bounded(() => start(setup))))
