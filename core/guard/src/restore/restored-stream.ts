/** Puts originals back into the texts of a stream that has passed all checks. */

import { Pacer, runPaced, runSteps } from '@sallyport/kit/async'
import { sumFindings } from '@sallyport/core'
import type { Call, MethodDeclaration, Restore, Vault } from '@sallyport/core'
import { ChoiceQueue } from '../output/choice-queue.js'
import { continuedKey, isChecked, isDivisible } from '../output/chunks.js'
import { copiesRepeatText } from '../output/stream-texts.js'
import { rewriteTexts, textsOf } from '../fields/walk.js'
import type { TextField } from '../fields/walk.js'
import { RestoredText } from './restored-text.js'
import { restoreText } from './restorer.js'
import type { RestoreContext } from './restorer.js'
import { SubstituteIndex } from './substitute-index.js'

/** What is restored in one call. */
export interface Restoration extends Restore {
  readonly vault: Vault
  /** The tools that run elsewhere, by name, with the label of their server. */
  readonly remoteTools?: ReadonlyMap<string, string | undefined> | undefined
  /** Called at the end with the numbers of substitutes that stay, by type. */
  readonly onUnrestored: (counts: Readonly<Record<string, number>>) => void
}

/**
 * Yields the chunks with the originals of what the request's input checks replaced. The restored texts do not depend on
 * how the source divides them.
 */
export async function* restoredStream(
  declaration: MethodDeclaration,
  chunks: AsyncIterable<unknown>,
  restoration: Restoration,
  call: Call,
): AsyncGenerator {
  const index = new SubstituteIndex(restoration.vault.restorable)
  if (index.isEmpty) {
    yield* chunks
    return
  }
  const kept = new KeptCounts()
  const texts = new RestoredTexts(declaration, { index, onKept: kept.add }, restoration, new Pacer(call))
  try {
    for await (const chunk of chunks) yield* await texts.write(chunk)
    yield* await texts.end()
  } finally {
    kept.report(restoration)
  }
}

/** The request of a listed recipient, with the originals in what a model wrote for it; otherwise the request. */
export const restoredRequest = (
  { recipient, input }: MethodDeclaration,
  request: unknown,
  restoration: Restoration,
): unknown => {
  if (!recipient) return request
  const { [recipient.field]: label, [recipient.unless]: named } = request as Readonly<Record<string, unknown>>
  if (named !== undefined || !restoration.servers.includes(String(label))) return request
  const kept = new KeptCounts()
  const context = { index: new SubstituteIndex(restoration.vault.restorable), onKept: kept.add }
  const restored = rewriteTexts(input, request, ({ text }) => runSteps(restoreText(text, context)))
  kept.report(restoration)
  return restored
}

class KeptCounts {
  private counts: Readonly<Record<string, number>> = {}

  readonly add = (type: string): void => {
    this.counts = sumFindings(this.counts, { [type]: 1 })
  }

  report({ onUnrestored }: Restoration): void {
    if (Object.keys(this.counts).length) onUnrestored(this.counts)
  }
}

/** The texts of one choice, in the order in which its chunks came. */
interface Choice {
  readonly queue: ChoiceQueue
  last?: RestoredText
}

class RestoredTexts {
  private readonly texts = new Map<string, RestoredText>()
  private readonly choices = new Map<unknown, Choice>()
  private released: unknown[] = []

  constructor(
    private readonly declaration: MethodDeclaration,
    private readonly context: RestoreContext,
    private readonly restoration: Restoration,
    private readonly pacer: Pacer,
  ) {}

  /** @returns the chunks that may leave */
  async write(chunk: unknown): Promise<readonly unknown[]> {
    const { output } = this.declaration
    const choice = this.choiceOf(chunk)
    const textFields = textsOf(output, chunk)
    const spans = []
    for (const textField of textFields.filter(isChecked)) {
      const text = this.textOf(textField, chunk)
      if (choice.last && choice.last !== text) choice.last.flush()
      choice.last = text
      spans.push({ text, ...(await this.grow(text, textField)) })
    }
    choice.queue.hold({
      ...{ chunk, position: 0, spans },
      copiesMatch: copiesRepeatText(textFields),
      divisible: isDivisible(chunk, textFields),
    })
    await choice.queue.release()
    return this.takeReleased()
  }

  async end(): Promise<readonly unknown[]> {
    for (const text of this.texts.values()) await runPaced(text.end(), this.pacer)
    for (const { queue } of this.choices.values()) await queue.release()
    return this.takeReleased()
  }

  private async grow(text: RestoredText, { leaf, text: more }: TextField) {
    const span = await runPaced(text.push(more), this.pacer)
    if (leaf !== 'delta') await runPaced(text.end(), this.pacer)
    return span
  }

  private textOf(textField: TextField, chunk: unknown): RestoredText {
    const isShown = textField.path[0] !== this.declaration.calls?.part
    const key = textField.leaf === 'delta' ? continuedKey(textField, chunk) : undefined
    if (key === undefined) return new RestoredText({ ...this.context, isShown })
    const keepsAll = this.isForOthers(textField, chunk)
    const text = this.texts.get(key) ?? new RestoredText({ ...this.context, isShown, keepsAll })
    this.texts.set(key, text)
    return text
  }

  /** Whether a tool server that no policy lists gets the text. */
  private isForOthers({ path: [part] }: TextField, chunk: unknown): boolean {
    const { calls } = this.declaration
    const { remoteTools, servers } = this.restoration
    if (!calls || part !== calls.part || !remoteTools) return false
    const { [calls.name]: tool } = (chunk as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[part] ?? {}
    if (!remoteTools.has(String(tool))) return false
    return !servers.includes(remoteTools.get(String(tool)) ?? '')
  }

  private choiceOf(chunk: unknown): Choice {
    const key = (chunk as { readonly choice?: unknown }).choice ?? 0
    const choice = this.choices.get(key) ?? {
      queue: new ChoiceQueue(this.declaration.output, this.pacer, (released) => this.released.push(released)),
    }
    this.choices.set(key, choice)
    return choice
  }

  private takeReleased(): readonly unknown[] {
    const { released } = this
    this.released = []
    return released
  }
}
