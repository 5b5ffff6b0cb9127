import type { ChatCapability, ChatChunk } from '@sallyport/core'
import type { Fault } from '../plant.js'
import { asked, refusing, said, saidAtOnce } from './streams.js'

const callPieces = (
  piece: ChatChunk,
  change: (call: Extract<ChatChunk, { toolCall: object }>['toolCall']) => object,
): ChatChunk[] => ('toolCall' in piece ? [{ toolCall: { ...piece.toolCall, ...change(piece.toolCall) } }] : [piece])

export const chatToolFaults: Record<string, Fault<ChatCapability>> = {
  'a tool that is required is called with arguments by its schema': said((piece) =>
    callPieces(piece, ({ arguments: text }) => ({ arguments: text.replace('city', 'town') })),
  ),
  'the named tool is called': asked((request) => ({ ...request, toolChoice: 'required' })),
  'one of several named tools is called': asked((request) => ({ ...request, toolChoice: { names: ['weather'] } })),
  'the arguments of a strict tool are valid against its schema': said((piece) =>
    callPieces(piece, ({ arguments: text }) => ({ arguments: text.replace('celsius', 'kelvin') })),
  ),
  'no more than one tool is called where parallel calls are off': said((piece) => [
    piece,
    ...callPieces(piece, () => ({ index: 1 })).filter((again) => 'toolCall' in again),
  ]),
  'a tool that may be called is one of those that are offered': saidAtOnce((pieces) => [
    { toolCall: { index: 0, id: 'call-1', name: 'secret', arguments: '{}' } },
    ...pieces,
  ]),
  'the id and the name come with the first piece of a call, and ids are unique': said((piece) =>
    callPieces(piece, ({ id }) => (id === undefined ? {} : { id: 'call-1' })),
  ),
  'toolChoice none calls nothing': asked((request) => ({ ...request, toolChoice: 'required' })),
  'the result of a tool is taken': refusing(({ messages }) => messages.some(({ role }) => role === 'tool')),
  'a tool that is required is refused with unsupported by a model that calls none': {
    facts: { features: {} },
    sound: refusing(({ toolChoice }) => toolChoice === 'required', 'unsupported'),
    faulty: (sound) => sound,
  },
}
