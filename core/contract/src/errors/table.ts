/**
 * Every error that the server can return or its start can end with, independent of HTTP: the adapter maps codes to
 * statuses in one place. A message says what was wrong, where, and what to do; it never contains text of a model
 * library.
 */

export type Message<Details> = (details: Details) => string

const define = <Details = Record<never, never>>(message: Message<Details>): Message<Details> => message

/** A path inside the options of a plugin or a model. */
export type OptionPath = readonly (string | number)[]

/**
 * `option` is the path of the model's option; the kernel adds where that, or else the model, is in the configuration.
 */
interface ModelProblem {
  model: string
  problem: string
  option?: OptionPath
  where?: string
}

const modelProblem = ({ where, model, problem }: ModelProblem) =>
  `${where ? `${where}: ` : ''}model ${model}: ${problem}`

const list = (values: readonly string[]) => (values.length ? values.join(', ') : 'none')

export const errorTable = {
  /** `field` is a JSON path such as `messages[0].role`. */
  invalid_request: define<{ field?: string; problem: string }>(({ field, problem }) =>
    field ? `${field}: ${problem}` : problem,
  ),
  invalid_json: define<{ problem: string }>(({ problem }) => `the body is not valid JSON: ${problem}`),
  /** `message` is the public one of the check that blocked. */
  content_blocked: define<{ message: string }>(({ message }) => message),
  /**
   * A model's answer does not match the schema of the request, or calls what must not be called. `place` is a path in
   * the answer; neither it nor `problem` quotes the answer.
   */
  invalid_output: define<{ place: string; problem: string }>(
    ({ place, problem }) =>
      `the model's answer is not what was asked for: ${place}: ${problem}; ask again, or ask for less (a looser schema)`,
  ),
  unsupported: define<{ field?: string; problem: string }>(({ field, problem }) =>
    field ? `${field}: ${problem}` : problem,
  ),
  /**
   * `atLeast`: refused before all tokens were counted. `field` names the text if it is one of several and not a prompt.
   */
  context_exceeded: define<{ tokens: number; limit: number; atLeast?: boolean; field?: string }>(
    ({ tokens, limit, atLeast, field }) => {
      const count = `${atLeast ? 'at least ' : ''}${tokens} tokens`
      return field
        ? `${field}: has ${count}, and the model takes ${limit}: shorten it, or have it cut (truncate)`
        : `the prompt has ${count}, which leaves no room in the model's context of ${limit}: shorten it`
    },
  ),
  unauthenticated: define(
    () => 'authentication failed: send a valid key as "Authorization: Bearer <key>" or "x-api-key: <key>"',
  ),
  forbidden: define<{ problem: string }>(({ problem }) => problem),
  route_not_found: define<{ method: string; path: string }>(
    ({ method, path }) => `no route: ${method} ${path}; see /openapi.json for what there is`,
  ),
  capability_missing: define<{ capability: string }>(
    ({ capability }) =>
      `no model of the configuration provides the capability "${capability}": add one, and the plugin that brings it`,
  ),
  method_not_allowed: define<{ method: string; allowed: readonly string[] }>(
    ({ method, allowed }) => `the method ${method} is not allowed here: use ${list(allowed)}`,
  ),
  model_not_found: define<{ model: string; available: readonly string[] }>(
    ({ model, available }) => `model not found: ${model}; available: ${list(available)}`,
  ),
  /** `field` is the one that names the response. */
  response_not_found: define<{ field: string; problem: string }>(({ field, problem }) => `${field}: ${problem}`),
  /** The response that a request would continue. */
  previous_response_not_found: define<{ field: string; problem: string }>(
    ({ field, problem }) => `${field}: ${problem}`,
  ),
  payload_too_large: define<{ limit: string }>(({ limit }) => `the body is larger than the limit of ${limit}`),
  unsupported_media: define<{ problem: string }>(({ problem }) => problem),
  request_timeout: define(() => 'the request did not arrive in time: send it faster or in smaller parts'),
  /** The caller's own share is used up; `overloaded` means that of all callers. */
  rate_limited: define<{ problem: string }>(({ problem }) => problem),
  /** The caller's budget is used up, which no waiting for a minute or a day helps. */
  quota_exceeded: define<{ problem: string }>(({ problem }) => problem),
  overloaded: define<{ problem?: string }>(
    ({ problem }) => problem ?? 'too many requests are waiting: try again later',
  ),
  client_closed: define(() => 'the client closed the connection'),
  internal: define<{ requestId?: string }>(
    ({ requestId }) =>
      `something went wrong on the server${requestId ? `; the log has the details under request ${requestId}` : ''}`,
  ),
  /** A plugin's code returned something other than its capability declares; the log says what and where. */
  invalid_backend_result: define<{ requestId?: string }>(
    ({ requestId }) =>
      `the model's backend gave an invalid result${requestId ? `; the log has the details under request ${requestId}` : ''}`,
  ),
  /** The name of a check that cannot run, or the problem with the text that it would check. */
  safeguard_unavailable: define<{ name: string } | { problem: string }>(
    (details) => `safeguard unavailable: ${'name' in details ? details.name : details.problem}`,
  ),
  not_ready: define<{ state: 'loading' | 'draining' }>(({ state }) =>
    state === 'loading' ? 'models are still loading: try again soon' : 'the server is shutting down: try another one',
  ),
  model_unavailable: define<{ model: string; problem: string }>(
    ({ model, problem }) => `the model ${model} is unavailable: ${problem}`,
  ),
  upstream_failed: define<{ model: string; problem: string }>(
    ({ model, problem }) => `the server behind the model ${model} failed: ${problem}`,
  ),
  deadline_exceeded: define<{ limit?: string }>(
    ({ limit }) => `the request took longer than ${limit ?? 'its deadline'}: shorten it or raise the limit`,
  ),
  insufficient_memory: define<{ problem: string }>(({ problem }) => problem),
  insufficient_storage: define<{ problem: string }>(({ problem }) => problem),
  /**
   * Start-up: the configuration is wrong. `where` is the file and line. A plugin sets `option` to the path of its
   * option, and the kernel then adds `where` if it is known.
   */
  config_invalid: define<{ where?: string; problem: string; option?: OptionPath }>(({ where, problem }) =>
    where ? `${where}: ${problem}` : problem,
  ),
  /** Start-up: a plugin cannot be loaded or its definition is wrong. */
  plugin_invalid: define<{ plugin: string; problem: string; where?: string }>(
    ({ plugin, problem, where }) => `${where ? `${where}: ` : ''}plugin ${plugin}: ${problem}`,
  ),
  /** A model's files are not available, or differ from the catalogue. */
  model_files: define(modelProblem),
  /** A model's file is damaged or has another format, or its options do not fit it. */
  model_invalid: define(modelProblem),
} as const

export type ErrorCode = keyof typeof errorTable

export type ErrorDetails<Code extends ErrorCode> =
  (typeof errorTable)[Code] extends Message<infer Details> ? Details : never
