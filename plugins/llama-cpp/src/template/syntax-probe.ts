import { minOf } from '@sallyport/kit/lists'
import { writtenId } from '../answer/syntax.js'
import type { CallSyntax, Fixed, ThoughtSyntax } from '../answer/syntax.js'
import type { TemplateMessage, TemplateTool, TemplateVariables } from './render-protocol.js'

/** Renders a conversation, without the beginning of an answer where nothing else is said; undefined where the template objects. */
export type TryRender = (variables: Partial<TemplateVariables>) => Promise<string | undefined>

/** What a template makes of tools and thoughts, found out by trying. */
export interface TemplateSyntax {
  /** The syntax of calls is absent where the template knows no tools, or does not write calls as JSON. */
  readonly calls?: CallSyntax
  /** It takes the arguments of calls as text. */
  readonly argumentsAsText?: boolean
  readonly thoughts?: ThoughtSyntax
  /** It takes messages of the system. */
  readonly takesSystem: boolean
}

/** Two calls that nobody else writes. Ids have nine letters and digits, as Mistral's templates want them. */
const probes = [
  { name: 'sallyport_first', value: 'uhbygv', id: 'aB3dE6gH9' },
  { name: 'sallyport_second', value: 'okmijn', id: 'zY8xW5vU2' },
] as const
type Probe = (typeof probes)[number]

const word = 'qazwsx'
const thought = 'edcrfv'

const question: TemplateMessage = { role: 'user', content: 'Hello' }
const answer: TemplateMessage = { role: 'assistant', content: word }

const tools: readonly TemplateTool[] = probes.map(({ name }) => ({
  type: 'function',
  function: {
    name,
    description: 'Tries.',
    parameters: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
  },
}))

const calling = (called: readonly Probe[], asText: boolean): TemplateMessage => ({
  role: 'assistant',
  content: '',
  tool_calls: called.map(({ name, value, id }) => ({
    type: 'function',
    id,
    function: { name, arguments: asText ? JSON.stringify({ key: value }) : { key: value } },
  })),
})

const answering: TemplateMessage = { role: 'tool', content: word, tool_call_id: probes[0].id }

/** @param endings texts of the tokens that end an answer */
export const probeSyntax = async (
  render: TryRender,
  template: string,
  endings: readonly string[],
): Promise<TemplateSyntax> => {
  const thoughts = await probeThoughts(render, template)
  const withSystem = await render({ messages: [{ role: 'system', content: word }, question] })
  const rest = { takesSystem: withSystem?.includes(word) ?? false, ...(thoughts ? { thoughts } : {}) }
  for (const argumentsAsText of [false, true]) {
    const calls = await probeCalls(render, endings, argumentsAsText)
    if (calls) return { calls, argumentsAsText, ...rest }
  }
  return rest
}

const probeCalls = async (
  render: TryRender,
  endings: readonly string[],
  asText: boolean,
): Promise<CallSyntax | undefined> => {
  const [first, second] = probes
  const withTools = await render({ messages: [question], tools })
  const answered = await render({ messages: [question, answer], tools })
  const called = await render({ messages: [question, calling([first], asText)], tools })
  const calledTwice = await render({ messages: [question, calling([first, second], asText)], tools })
  const replied = await render({ messages: [question, calling([first], asText), answering], tools })
  if (!withTools?.includes(first.name) || !replied?.includes(word) || !answered || !called) return undefined
  const [header = '', ending = ''] = answered.split(word)
  const start = sharedMarks(header, called)
  const one = callsIn(called.slice(start), [first])
  const begin = one?.begin.trimStart() ?? ''
  // as text within braces of the template's own, it is no JSON that the model writes
  if (!one || begin === '' || one.middle.endsWith('{')) return undefined
  const end = withoutEnding(one.end, endings, ending)
  const two = calledTwice === undefined ? undefined : callsIn(calledTwice.slice(start), probes)
  return {
    begin: fixed(begin),
    middle: fixed(one.middle),
    ...(two?.middle === two?.nextMiddle && two?.between !== undefined ? { between: fixed(two.between) } : {}),
    end: fixed(end),
  }
}

/** The texts around the names and arguments; undefined where they are not there in this order, or are no JSON. */
const callsIn = (text: string, called: readonly Probe[]) => {
  const pattern = called.map(({ name, value }) => `(.*?)${name}(.*?)\\{\\s*"key"\\s*:\\s*"${value}"\\s*\\}`).join('')
  const [, begin, middle, ...rest] = new RegExp(`^${pattern}(.*)$`, 's').exec(text) ?? []
  if (begin === undefined || middle === undefined) return undefined
  return { begin, middle, between: rest.at(-3), nextMiddle: rest.at(-2), end: rest.at(-1) ?? '' }
}

/** UTF-16 units that both texts begin with. */
const sharedLength = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1
  return length
}

/** Characters that both texts begin with, up to the end of a mark: the marks of a template look alike. */
const sharedMarks = (one: string, other: string): number => {
  const length = sharedLength(one, other)
  if (length === one.length) return length
  return /^.*[>\]\n]/s.exec(one.slice(0, length))?.[0].length ?? 0
}

/** Removes the token that ends the turn, and what the template puts behind it. */
const withoutEnding = (text: string, endings: readonly string[], ending: string): string => {
  const ends = endings.map((token) => text.indexOf(token)).filter((at) => at >= 0)
  if (ends.length > 0) return text.slice(0, minOf(ends, text.length))
  return text.endsWith(ending) ? text.slice(0, text.length - ending.length) : text
}

const fixed = (text: string): Fixed =>
  text
    .split(new RegExp(`(${probes.map(({ id }) => id).join('|')})`))
    .filter((part) => part !== '')
    .map((part) => (probes.some(({ id }) => id === part) ? writtenId : part))

const probeThoughts = async (render: TryRender, template: string): Promise<ThoughtSyntax | undefined> => {
  const answered = await render({ messages: [question, answer] })
  const thoughtful = await render({ messages: [question, { ...answer, reasoning_content: thought }] })
  const marks = answered && thoughtful ? marksIn(answered, thoughtful) : undefined
  const { begin, end } = marks ?? usualMarks
  if (!marks && !template.includes(usualMarks.end)) return undefined
  const prompt = await render({ messages: [question], add_generation_prompt: true })
  return { begin, end, opened: prompt?.trimEnd().endsWith(begin) ?? false }
}

/** The marks of DeepSeek R1 and Qwen 3, whose templates take out what the model thought. */
const usualMarks = { begin: '<think>', end: '</think>' } as const

const marksIn = (answered: string, thoughtful: string) => {
  const [before, behind] = thoughtful.split(thought)
  if (before === undefined || behind === undefined) return undefined
  const [header = ''] = answered.split(word)
  const [end = ''] = behind.split(word)
  const marks = { begin: before.slice(sharedMarks(header, before)).trim(), end: end.trim() }
  return marks.begin && marks.end ? marks : undefined
}
