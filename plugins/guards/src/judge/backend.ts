import { chat, failure, inject, injectable, kernel, modelSpec, otherModel, provide } from '@sallyport/core'
import type { Call, ChatCapability, Detector, FinishReason, Inspection, InspectionRequest } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec, Served } from '@sallyport/core'
import { factuality, injection, toxicity } from '@sallyport/checks'
import { mapBounded } from '@sallyport/kit/async'
import { maxOf } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import type { JudgeOptions } from './options.js'
import { question, scoreIn } from './question.js'
import type { Judged } from './question.js'

type Spec = ModelSpec<JudgeOptions>

/** For `sallyport check`, which loads no model. @throws model_invalid where the option names no other model with chat */
export const checkJudge = (spec: Spec, models: Kernel): void => {
  otherModel(models, spec, 'model', chat)
}

/** Asks a chat model for scores. What it is asked belongs to the inspection, so no policy checks that again. */
@injectable()
export class JudgeBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: Spec,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  load(): Promise<LoadedModel> {
    const { options } = this.spec
    const model = otherModel(this.models, this.spec, 'model', chat)
    const { prompts } = options
    return Promise.resolve({
      provides: [
        provide(injection, new Judge(model, options, { prompt: prompts.injection, type: 'injection' })),
        provide(toxicity, new Judge(model, options, { prompt: prompts.toxicity, type: 'toxicity' })),
        provide(
          factuality,
          new Judge(model, options, { prompt: prompts.factuality, type: 'unsupported_claim', compares: true }),
        ),
      ],
      descriptor: { description: `Asks the chat model ${options.model} how texts score.` },
    })
  }
}

/** Windows of a text that are judged side by side. */
const parallel = 4
/** How many UTF-16 code units of what stands before a text are shown with it. */
const maxBefore = 400
/** The share of a window that is judged with the next one again. */
const overlap = 1 / 8

/** What a judge is asked about texts. */
interface Task {
  readonly prompt: string
  /** Type of the findings. */
  readonly type: string
  /** Whether there is nothing to judge without a reference. */
  readonly compares?: true
}

class Judge implements Detector {
  constructor(
    private readonly model: () => Served<ChatCapability>,
    private readonly options: Omit<JudgeOptions, 'prompts'>,
    private readonly task: Task,
  ) {}

  /** @throws invalid_request for a text that is too long; invalid_output, and what else the model throws */
  async inspect({ text, before = '', reference, ...rest }: InspectionRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    // Where a turn continues a system message, most of the text may be instructions of that message.
    const origin = rest.from === undefined ? rest.origin : 'system'
    const shared = { ...(origin && { origin }), ...(reference !== undefined && { reference }) }
    const isComparable = reference !== undefined || !this.task.compares
    const findings = await mapBounded(isComparable ? this.windows(text) : [], parallel, async ({ start, end }) => {
      const context = start === 0 && before ? { before: before.slice(-maxBefore) } : {}
      const score = await this.score({ ...shared, ...context, text: text.slice(start, end) }, call)
      return { type: this.task.type, start, end, score }
    })
    const score = maxOf(
      findings.map((finding) => finding.score),
      0,
    )
    return {
      findings: findings.filter((finding) => finding.score > 0),
      score,
      explanation: isComparable
        ? `the model ${this.options.model} gives it ${score * 10} of 10`
        : 'there is no reference to compare with',
      detector: 'chat-judge/1',
      latency: performance.now() - begin,
    }
  }

  /** Windows that overlap, so that a passage that is cut in one stands whole in another. @throws invalid_request */
  private windows({ length }: string): Span[] {
    const { windowLength, maxWindows } = this.options
    const stride = Math.ceil(windowLength * (1 - overlap))
    const maxLength = windowLength + (maxWindows - 1) * stride
    if (length > maxLength) {
      const problem = `is longer than ${maxLength} characters, which is what the judge reads: shorten it, or raise maxWindows`
      throw failure('invalid_request', { field: 'text', problem })
    }
    const spans: Span[] = []
    for (let start = 0; start === 0 ? length > 0 : start + windowLength - stride < length; start += stride)
      spans.push({ start, end: Math.min(start + windowLength, length) })
    return spans
  }

  /** @throws invalid_output, and what else the model throws */
  private async score(judged: Judged, call: Call): Promise<number> {
    const { maxTokens } = this.options
    const { choices } = await this.model().generate({ ...question(this.task.prompt, judged), maxTokens }, call)
    const { finish = 'length', text = '' } = choices[0] ?? {}
    // The kernel holds finished answers to the schema, and lets others pass.
    if (finish !== 'stop') throw failure('invalid_output', { place: 'score', problem: unfinished(finish, maxTokens) })
    return scoreIn(text)
  }
}

const unfinished = (finish: FinishReason, maxTokens: number): string =>
  finish === 'length' ? `was cut off, after ${maxTokens} tokens at most (maxTokens)` : `ended with ${finish}`
