import type { ChatCapability, ChatChunk } from '@sallyport/core'
import type { Fault } from '../plant.js'
import { asked, refusing, said, saidAtOnce } from './streams.js'

const callPieces = (
  chunk: ChatChunk,
  change: (call: Extract<ChatChunk, { toolCall: object }>['toolCall']) => object,
): ChatChunk[] => ('toolCall' in chunk ? [{ toolCall: { ...chunk.toolCall, ...change(chunk.toolCall) } }] : [chunk])

export const chatToolFaults: Record<string, Fault<ChatCapability>> = {
  'a tool that is required is called with arguments by its schema': said((chunk) =>
    callPieces(chunk, ({ arguments: text }) => ({ arguments: text.replace('city', 'town') })),
  ),
  'the named tool is called': asked((request) => ({ ...request, toolChoice: 'required' })),
  'one of several named tools is called': asked((request) => ({ ...request, toolChoice: { names: ['weather'] } })),
  'the arguments of a strict tool are valid against its schema': said((chunk) =>
    callPieces(chunk, ({ arguments: text }) => ({ arguments: text.replace('celsius', 'kelvin') })),
  ),
  'no more than one tool is called where parallel calls are off': said((chunk) => [
    chunk,
    ...callPieces(chunk, () => ({ index: 1 })).filter((again) => 'toolCall' in again),
  ]),
  'a tool that may be called is one of those that are offered': saidAtOnce((chunks) => [
    { toolCall: { index: 0, id: 'call-1', name: 'secret', arguments: '{}' } },
    ...chunks,
  ]),
  'the id and the name come with the first chunk of a call, and ids are unique': said((chunk) =>
    callPieces(chunk, ({ id }) => (id === undefined ? {} : { id: 'call-1' })),
  ),
  'toolChoice none calls nothing': asked((request) => ({ ...request, toolChoice: 'required' })),
  'the result of a tool is taken': refusing(({ messages }) => messages.some(({ role }) => role === 'tool')),
  'a tool that is required is refused with unsupported by a model that calls none': {
    facts: { features: {} },
    sound: refusing(({ toolChoice }) => toolChoice === 'required', 'unsupported'),
    faulty: (sound) => sound,
  },
}
