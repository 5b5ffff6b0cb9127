/** The thread that renders. A template is a program of whoever made the model file: it is ended from outside. */

import { parentPort, workerData } from 'node:worker_threads'
import { Template } from '@huggingface/jinja'
import type { RenderReply, RenderSetup, TemplateVariables } from './render-protocol.js'
import { threadId } from './thread-time.js'

const { template, longestOutput } = workerData as RenderSetup

const reply = (message: RenderReply) => parentPort?.postMessage(message)

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown')

const render = (parsed: Template, variables: TemplateVariables): RenderReply => {
  try {
    const text = parsed.render({ ...variables })
    return text.length > longestOutput
      ? { type: 'refused', reason: 'the output is too long' }
      : { type: 'rendered', text }
  } catch (error) {
    return { type: 'refused', reason: reasonOf(error) }
  }
}

try {
  const parsed = new Template(template)
  parentPort?.on('message', (variables: TemplateVariables) => reply(render(parsed, variables)))
  reply({ type: 'ready', thread: threadId() })
} catch (error) {
  reply({ type: 'broken', reason: reasonOf(error) })
}
