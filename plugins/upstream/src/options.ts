import type { ModelFeatures } from '@sallyport/core'

/** What a model of the backend `openai` may be asked to provide. */
export type ProvidedCapability = 'chat' | 'completion' | 'embedding' | 'rerank' | 'tokens'

/** Where servers differ and say nothing about it. */
export type ServerKind = 'openai' | 'llama-server'

/** In seconds. */
export interface Timeouts {
  /** Until the connection stands, TLS included. */
  readonly connect: number
  /** From sending the request to the first byte of the answer's body: the prompt is read meanwhile. */
  readonly firstByte: number
  /** Between two parts of a body. */
  readonly idle: number
  /** From the call to the end of its answer, waiting between retries included. */
  readonly total: number
}

/** Only before the first byte of an answer: connection errors, and the statuses 429, 502, 503 and 504. */
export interface Retries {
  readonly count: number
  /** Seconds before the first retry; doubles with each, and is jittered. */
  readonly delay: number
  /** Seconds; a `Retry-After` beyond it is passed on to the client instead of waited for. */
  readonly longest: number
}

/** In MiB. */
export interface Limits {
  /** One server-sent event. */
  readonly event: number
  /** An answer that is not streamed. */
  readonly body: number
  /** A whole stream. */
  readonly stream: number
}

export interface EmbeddingOptions {
  /** Inputs per request to the upstream server. */
  readonly batch: number
  /** Put before texts, for models that are trained so. */
  readonly queryPrefix: string
  readonly documentPrefix: string
}

export interface RerankOptions {
  /** What the scores are; `auto` takes them for logits as soon as one of an answer lies outside 0..1. */
  readonly scores: 'auto' | 'probability' | 'logit'
}

/** A server program that belongs to the model: started with it, restarted after a crash, killed with it. */
export interface ServerOptions {
  /** A program on the PATH, or a path. */
  readonly command: string
  /** `{port}` stands for the port. */
  readonly args: readonly string[]
  readonly cwd?: string
  /** Added to the few variables that the program inherits (PATH, HOME, locale, GPU selection). */
  readonly env: Readonly<Record<string, string>>
  /** 0 or `auto`: a free one. */
  readonly port: number | 'auto'
  readonly ready: {
    /** Answers 2xx once the server can serve. */
    readonly path: string
    /** Seconds. */
    readonly timeout: number
  }
  /** Seconds before the second restart after a crash (the first comes at once); doubles with each, up to `longest`. */
  readonly restart: { readonly delay: number; readonly longest: number }
  /** Seconds that the program has to end after SIGTERM, before its process group is killed. */
  readonly stopTimeout: number
}

/** Of one model, under `models.<id>.options`. */
export interface UpstreamOptions {
  /** Base URL, such as `https://api.example.com/v1`; with `server` it may hold `{port}`. */
  readonly url?: string
  /** The upstream server's id of the model. Default: the model's own id. */
  readonly model?: string
  /** Sent as bearer token. */
  readonly apiKey?: string
  readonly headers: Readonly<Record<string, string>>
  readonly capabilities: readonly ProvidedCapability[]
  /** Tokens. Default: what the upstream server's listing says. */
  readonly contextLength?: number
  readonly features: ModelFeatures
  /** The model fills gaps: completion requests may have a suffix. Many servers ignore it where it cannot. */
  readonly infill: boolean
  /** `auto`: as the upstream server's listing tells. */
  readonly kind: ServerKind | 'auto'
  /** Further fields of each generation request, such as `chat_template_kwargs`; the request's own fields win. */
  readonly body: Readonly<Record<string, unknown>>
  readonly timeouts: Timeouts
  readonly retries: Retries
  readonly limits: Limits
  readonly embedding: EmbeddingOptions
  readonly rerank: RerankOptions
  readonly server?: ServerOptions
}
