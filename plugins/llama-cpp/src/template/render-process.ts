/**
 * The rendering process. A template is a program of the model's author, so the parent kills this process when it takes
 * too long, and the process ends by itself when its parent is gone.
 */

import { Script } from 'node:vm'
import { Template } from '@huggingface/jinja'
import type { RenderReply, RenderSetup, TemplateVariables } from './render-protocol.js'

process.title = 'sallyport: chat template'

/** In milliseconds, longer than the parent waits for an answer. */
const maxMilliseconds = 30_000
const work = Symbol.for('sallyport.render')
const script = new Script("globalThis[Symbol.for('sallyport.render')]()")

const reply = (message: RenderReply) => process.send?.(message)

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown')

/** Runs a task under a time limit, which ends endless loops by an exception. */
const bounded = (task: () => RenderReply): RenderReply => {
  Object.assign(globalThis, { [work]: task })
  return script.runInThisContext({ timeout: maxMilliseconds }) as RenderReply
}

const render = (program: Template, variables: TemplateVariables, maxOutputLength: number): RenderReply => {
  try {
    const text = program.render({ ...variables })
    return text.length > maxOutputLength ? { type: 'oversized' } : { type: 'rendered', text }
  } catch (error) {
    return { type: 'refused', reason: reasonOf(error) }
  }
}

const start = ({ template, maxOutputLength }: RenderSetup): RenderReply => {
  try {
    const program = new Template(template)
    const answer = (variables: TemplateVariables) => reply(bounded(() => render(program, variables, maxOutputLength)))
    process.on('message', answer)
    return { type: 'ready' }
  } catch (error) {
    return { type: 'broken', reason: reasonOf(error) }
  }
}

// signals to the process group are for the model's process, which finishes its requests first
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.once('message', (setup: RenderSetup) => reply(bounded(() => start(setup))))
