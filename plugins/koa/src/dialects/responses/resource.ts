/** The resource of a response: its request's settings, its status and its output. */

import type { Usage } from '@sallyport/core'
import type { ResultDialect } from '../dialect.js'
import { wireItem } from './output-items.js'
import type { OutputItem } from './output-items.js'

export type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed'

/** The settings that a response echoes from its request; absent where the request did not set them. */
export interface RequestEcho {
  readonly instructions?: string
  readonly max_output_tokens?: number
  readonly max_tool_calls?: number
  readonly parallel_tool_calls?: boolean
  readonly temperature?: number
  readonly top_p?: number
  readonly tool_choice?: unknown
  readonly tools?: readonly object[]
  readonly text?: { readonly format: object }
  readonly reasoning?: { readonly effort: string }
  readonly metadata?: Readonly<Record<string, string>>
  readonly previous_response_id?: string
}

export interface ResponseState {
  readonly id: string
  readonly model: string
  /** Unix seconds. */
  readonly createdAt: number
  readonly echo: RequestEcho
  /** Whether the response is stored. */
  readonly store: boolean
  readonly output: readonly OutputItem[]
  readonly status: ResponseStatus
  /** Why the response is incomplete. */
  readonly reason?: string
  readonly error?: ResponseError
  readonly usage?: Usage
  readonly completedAt?: number
}

export interface ResponseError {
  readonly code: string
  readonly message: string
}

export const wireResponse = (dialect: ResultDialect, state: ResponseState): object => presenters[dialect](state)

const headOf = ({ id, createdAt, status, model }: ResponseState) => ({
  id,
  object: 'response',
  created_at: createdAt,
  status,
  model,
})

/** Fields that the request did not set are left out. */
const specificationResponse = (state: ResponseState): object => {
  const { echo, reason, error, usage, output } = state
  const { parallel_tool_calls: parallel = true, tool_choice: choice = 'auto', tools = [], ...rest } = echo
  return {
    ...headOf(state),
    ...(reason === undefined ? {} : { incomplete_details: { reason } }),
    ...(error ? { error } : {}),
    output: output.map((item) => wireItem('specification', item)),
    ...rest,
    parallel_tool_calls: Number(parallel),
    tool_choice: choice,
    tools,
    ...(usage ? { usage: responseUsage(usage) } : {}),
  }
}

/** Every field is present, with OpenAI's defaults. */
const openAiResponse = (state: ResponseState): object => {
  const { echo, reason, error, usage, output, completedAt } = state
  return {
    ...headOf(state),
    completed_at: completedAt ?? null,
    background: false,
    error: error ?? null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: echo.instructions ?? null,
    max_output_tokens: echo.max_output_tokens ?? null,
    max_tool_calls: echo.max_tool_calls ?? null,
    output: output.map((item) => wireItem('openai', item)),
    parallel_tool_calls: echo.parallel_tool_calls ?? true,
    previous_response_id: echo.previous_response_id ?? null,
    reasoning: echo.reasoning ? { ...echo.reasoning, summary: null } : null,
    store: state.store,
    temperature: echo.temperature ?? 1,
    text: echo.text ?? { format: { type: 'text' } },
    tool_choice: echo.tool_choice ?? 'auto',
    tools: echo.tools ?? [],
    top_p: echo.top_p ?? 1,
    truncation: 'disabled',
    usage: usage ? responseUsage(usage) : null,
    metadata: echo.metadata ?? {},
    service_tier: 'default',
    top_logprobs: 0,
    presence_penalty: 0,
    frequency_penalty: 0,
    safety_identifier: null,
    prompt_cache_key: null,
  }
}

const presenters = { specification: specificationResponse, openai: openAiResponse }

const responseUsage = ({ promptTokens, cachedTokens, completionTokens, reasoningTokens }: Usage) => ({
  input_tokens: promptTokens,
  input_tokens_details: { cached_tokens: cachedTokens ?? 0 },
  output_tokens: completionTokens,
  output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
  total_tokens: promptTokens + completionTokens,
})
