import { minOf } from '@sallyport/kit/lists'
import { idPlaceholder } from '../answer/syntax.js'
import type { CallSyntax, FixedText, ReasoningSyntax } from '../answer/syntax.js'
import type { TemplateMessage, TemplateTool, TemplateVariables } from './render-protocol.js'

/** Renders a conversation, by default without the beginning of an answer; undefined where the template refuses it. */
export type TryRender = (variables: Partial<TemplateVariables>) => Promise<string | undefined>

/** How a template writes tools and reasoning, found out by trials. */
export interface TemplateSyntax {
  /** The syntax of calls is absent where the template knows no tools, or does not write calls as JSON. */
  readonly calls?: CallSyntax
  /** Whether it takes the arguments of calls as a string. */
  readonly stringArguments?: boolean
  readonly reasoning?: ReasoningSyntax
  /** Whether it takes system messages. */
  readonly takesSystem: boolean
}

/** Two calls whose texts occur in no template. Ids have nine letters and digits, as Mistral's templates require. */
const probes = [
  { name: 'sallyport_first', value: 'uhbygv', id: 'aB3dE6gH9' },
  { name: 'sallyport_second', value: 'okmijn', id: 'zY8xW5vU2' },
] as const
type Probe = (typeof probes)[number]

const word = 'qazwsx'
const reasoningText = 'edcrfv'

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

const callMessage = (calls: readonly Probe[], stringArguments: boolean): TemplateMessage => ({
  role: 'assistant',
  content: '',
  tool_calls: calls.map(({ name, value, id }) => ({
    type: 'function',
    id,
    function: { name, arguments: stringArguments ? JSON.stringify({ key: value }) : { key: value } },
  })),
})

const resultMessage: TemplateMessage = { role: 'tool', content: word, tool_call_id: probes[0].id }

/** Tries a template on short conversations. @param endings texts of the tokens that end an answer */
export const probeSyntax = async (
  render: TryRender,
  template: string,
  endings: readonly string[],
): Promise<TemplateSyntax> => {
  const reasoning = await probeReasoning(render, template)
  const withSystem = await render({ messages: [{ role: 'system', content: word }, question] })
  const rest = { takesSystem: withSystem?.includes(word) ?? false, ...(reasoning ? { reasoning } : {}) }
  for (const stringArguments of [false, true]) {
    const calls = await probeCalls(render, endings, stringArguments)
    if (calls) return { calls, stringArguments, ...rest }
  }
  return rest
}

const probeCalls = async (
  render: TryRender,
  endings: readonly string[],
  stringArguments: boolean,
): Promise<CallSyntax | undefined> => {
  const [first, second] = probes
  const withTools = await render({ messages: [question], tools })
  const answered = await render({ messages: [question, answer], tools })
  const called = await render({ messages: [question, callMessage([first], stringArguments)], tools })
  const calledTwice = await render({ messages: [question, callMessage([first, second], stringArguments)], tools })
  const replied = await render({ messages: [question, callMessage([first], stringArguments), resultMessage], tools })
  if (!withTools?.includes(first.name) || !replied?.includes(word) || !answered || !called) return undefined
  const [header = '', afterAnswer = ''] = answered.split(word)
  const start = sharedMarks(header, called)
  const one = callsIn(called.slice(start), [first])
  const begin = one?.begin.trimStart() ?? ''
  // where the template puts braces around the arguments, the model does not write JSON
  if (!one || begin === '' || one.middle.endsWith('{')) return undefined
  const end = withoutEnding(one.end, endings, afterAnswer)
  const two = calledTwice === undefined ? undefined : callsIn(calledTwice.slice(start), probes)
  return {
    begin: fixedText(begin),
    middle: fixedText(one.middle),
    ...(two?.middle === two?.nextMiddle && two?.between !== undefined ? { between: fixedText(two.between) } : {}),
    end: fixedText(end),
  }
}

/** The texts around the names and arguments; undefined where these do not follow in this order, or are not JSON. */
const callsIn = (text: string, calls: readonly Probe[]) => {
  const pattern = calls.map(({ name, value }) => `(.*?)${name}(.*?)\\{\\s*"key"\\s*:\\s*"${value}"\\s*\\}`).join('')
  const [, begin, middle, ...rest] = new RegExp(`^${pattern}(.*)$`, 's').exec(text) ?? []
  if (begin === undefined || middle === undefined) return undefined
  return { begin, middle, between: rest.at(-3), nextMiddle: rest.at(-2), end: rest.at(-1) ?? '' }
}

/** The length of the common prefix up to the end of a mark, because different marks may begin alike. */
const sharedMarks = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1
  if (length === one.length) return length
  return /^.*[>\]\n]/s.exec(one.slice(0, length))?.[0].length ?? 0
}

/** Removes the token that ends the turn and what follows it, or else what the template writes after an answer. */
const withoutEnding = (text: string, endings: readonly string[], afterAnswer: string): string => {
  const ends = endings.map((token) => text.indexOf(token)).filter((at) => at >= 0)
  if (ends.length > 0) return text.slice(0, minOf(ends))
  return text.endsWith(afterAnswer) ? text.slice(0, text.length - afterAnswer.length) : text
}

const fixedText = (text: string): FixedText =>
  text
    .split(new RegExp(`(${probes.map(({ id }) => id).join('|')})`))
    .filter((part) => part !== '')
    .map((part) => (probes.some(({ id }) => id === part) ? idPlaceholder : part))

const probeReasoning = async (render: TryRender, template: string): Promise<ReasoningSyntax | undefined> => {
  const answered = await render({ messages: [question, answer] })
  const withReasoning = await render({ messages: [question, { ...answer, reasoning_content: reasoningText }] })
  const marks = answered && withReasoning ? marksIn(answered, withReasoning) : undefined
  const { begin, end } = marks ?? defaultMarks
  if (!marks && !template.includes(defaultMarks.end)) return undefined
  const prompt = await render({ messages: [question], add_generation_prompt: true })
  return { begin, end, opened: prompt?.trimEnd().endsWith(begin) ?? false }
}

/** The marks of DeepSeek R1 and Qwen 3, whose templates remove the reasoning from messages. */
const defaultMarks = { begin: '<think>', end: '</think>' } as const

const marksIn = (answered: string, withReasoning: string) => {
  const [before, after] = withReasoning.split(reasoningText)
  if (before === undefined || after === undefined) return undefined
  const [header = ''] = answered.split(word)
  const [end = ''] = after.split(word)
  const marks = { begin: before.slice(sharedMarks(header, before)).trim(), end: end.trim() }
  return marks.begin && marks.end ? marks : undefined
}
