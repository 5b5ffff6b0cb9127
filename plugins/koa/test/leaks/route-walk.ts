import * as checks from '@sallyport/checks'
/** One route, and everything that can be said through it. */

import { capabilities, isCheck } from '@sallyport/core'
import { tale } from './stranger.js'
import type { Capability, ChatMessage, Leaf, MethodDeclaration } from '@sallyport/core'
import { textOf } from '@sallyport/kit/generation'
import { pathsOf } from '../../src/app.js'
import { completeOptions } from '../../src/options.js'
import type { Route, RouteSchemas } from '../../src/routes/route.js'
import { hear, ownWords } from './answer.js'
import type { Heard } from './answer.js'
import { asTaken, bodiesFor, sample, withSwitches } from './bodies.js'
import type { BodyMaker } from './bodies.js'
import { allStrings, leavesOf, showSteps } from './leaves.js'
import { harmless, holdsSecret, plain, secret } from './secret.js'
import type { Spelling } from './secret.js'
import { leafAt, placesOf } from './speakers.js'
import type { Place, Scene } from './speakers.js'
import type { Answer, Stage } from './stage.js'
import type { WalkedPolicy } from './policies.js'

const { limits } = completeOptions({})

const identifier = /^[\w.:/-]{1,128}$/

/** Something said through a route. */
export interface Saying {
  readonly what: string
  readonly spelling: Spelling
  readonly body: Record<string, unknown>
  readonly script?: { readonly place: Place; readonly choice: number }
  /** Whether an answer repeats it where nothing is checked. */
  readonly isHeard: boolean
  /** Whether what it asks for cannot be streamed. */
  readonly isWhole?: boolean
}

/** Bodies that say something at one place. */
interface Made {
  readonly path: readonly string[]
  readonly make: BodyMaker
  /** Whether everything is switched on, or off. */
  readonly isSwitched: boolean
  readonly isHeard: boolean
}

export interface Outcome {
  readonly answer: Answer
  readonly heard: Heard
}

export class RouteWalk {
  readonly schemas: RouteSchemas
  readonly capability: Capability | undefined
  readonly texts: readonly (readonly string[])[]
  readonly places: readonly Place[]
  /** Bodies for each text of the request. */
  private readonly makers: Made[] = []
  /** What of a model's own is heard, in answer to what. */
  private readonly heard: {
    readonly place: Place
    readonly body: Record<string, unknown>
    readonly isWhole: boolean
  }[] = []
  /** Texts of the answers' schemas that have said the secret. */
  readonly speaking = new Set<string>()

  /** @param check of a route that asks any check */
  constructor(
    readonly route: Route,
    private readonly check?: Capability,
  ) {
    this.schemas = route.schemas?.({ ...limits, checks: new Map() }) ?? {}
    this.capability =
      check ??
      Object.values<Capability>({ ...capabilities, ...checks, tale }).find(({ name }) => name === route.capability)
    const { request } = this.schemas
    this.texts = request
      ? leavesOf(request)
          .filter(({ declared }) => declared === 'text')
          .map(({ path }) => path)
      : []
    this.places = this.capability ? placesOf(this.capability) : []
  }

  get name(): string {
    return `${this.route.method} ${this.filled(this.route.path)}`
  }

  /** Whether it is a check that replaces what it finds, where a request asks for that. */
  get replaces(): boolean {
    return this.check !== undefined && isCheck(this.check) && this.check.check.kind === 'spans'
  }

  private get paths(): readonly string[] {
    return pathsOf(this.route).map((path) => this.filled(path))
  }

  private filled(path: string): string {
    return path.replace(':check', this.check?.name ?? '')
  }

  get isGuarded(): boolean {
    return this.capability?.guarded === true
  }

  /** Whether a policy checks nothing of what the method was asked, or says. */
  get isBeyond(): boolean {
    return !this.isGuarded
  }

  /** Methods of the route's capability that were called. */
  called({ called }: Scene): MethodDeclaration[] {
    return called.flatMap(({ capability, declaration }) => (capability === this.capability?.name ? [declaration] : []))
  }

  /** Whether the place is dropped wherever answers are checked. */
  isDropped(place: Place | undefined): boolean {
    return place !== undefined && this.leafAt(place) === 'aside'
  }

  private leafAt(place: Place): Leaf | undefined {
    return this.capability && leafAt(this.capability, place)
  }

  /** Finds, without a policy, how each text comes to be read and said. @returns what is never read */
  async explore(stage: Stage): Promise<string[]> {
    const lost: string[] = []
    for (const path of this.texts) if (!(await this.exploreText(stage, path))) lost.push(showSteps(path))
    for (const body of this.bodies())
      for (const place of this.places) {
        const script = { place, choice: 0 }
        const outcomes = await this.sendEverywhere(stage, { body, spelling: plain, script })
        for (const { heard } of outcomes) this.note(heard)
        if (!outcomes.some(({ answer }) => holdsSecret(answer.body))) continue
        this.heard.push({ place, body, isWhole: outcomes.some(({ answer }) => answer.status !== 200) })
      }
    return lost
  }

  private async exploreText(stage: Stage, path: readonly string[]): Promise<boolean> {
    const { request = {} } = this.schemas
    for (const make of bodiesFor(request, path)) {
      if (!(await this.tryBody(stage, { path, make, isSwitched: false }))) continue
      for (const on of [true, false]) {
        const switched = withSwitches(request, make, on)
        await this.tryBody(stage, { path, make: switched, isSwitched: true })
        // A detector's answer may be another one where nothing is found.
        if (!this.isGuarded) await this.hearHarmless(stage, switched)
      }
      if (this.replaces) {
        const replacing: BodyMaker = (said) => ({ ...make(said), options: { action: 'replace', method: 'mask' } })
        await this.tryBody(stage, { path, make: replacing, isSwitched: true })
        await this.hearHarmless(stage, replacing)
      }
      return true
    }
    return false
  }

  private async hearHarmless(stage: Stage, make: BodyMaker): Promise<void> {
    const outcomes = await this.sendEverywhere(stage, { body: make(() => harmless), spelling: plain })
    for (const { path, text } of outcomes.flatMap(({ heard }) => heard.said))
      if (text === harmless) this.speaking.add(showSteps(path))
  }

  private async tryBody(stage: Stage, made: Omit<Made, 'isHeard'>): Promise<boolean> {
    const { make } = made
    const body = make(asTaken(plain))
    const [first] = this.paths
    const { isForm } = this.schemas
    const { status, scene } = await stage.send({ method: this.route.method, path: first!, body, isForm })
    if (status !== 200 || !readBy([...scene.shown, ...scene.inspected]).some(holdsSecret)) return false
    const outcomes = await this.sendEverywhere(stage, { body, spelling: plain })
    for (const { heard } of outcomes) this.note(heard)
    this.makers.push({ ...made, isHeard: outcomes.every(({ answer }) => holdsSecret(ownWords(answer).body)) })
    return true
  }

  private note({ said }: Heard): void {
    for (const { path, text } of said) if (holdsSecret(text)) this.speaking.add(showSteps(path))
  }

  /** In every dialect, streamed and not. */
  async sendEverywhere(
    stage: Stage,
    { body, spelling, script, isWhole }: Pick<Saying, 'body' | 'spelling' | 'script' | 'isWhole'>,
    policy?: WalkedPolicy,
  ): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (const path of this.paths)
      for (const streamed of this.schemas.chunk && !isWhole ? [false, true] : [false]) {
        const answer = await stage.send({
          method: this.route.method,
          path,
          isForm: this.schemas.isForm,
          body: { ...body, ...policy?.wish, ...(streamed ? { stream: true } : {}) },
          policy: policy?.config && policy.name,
          script: script && { ...script, spelling },
          headers: { 'x-safeguards-receipt': 'true', ...policy?.headers },
        })
        const judged = policy?.stage === 'output' ? ownWords(answer) : answer
        outcomes.push({ answer: judged, heard: hear(judged, this.schemas) })
      }
    return outcomes
  }

  /** A request that says nothing of interest. Models may call its tools, where it may have some. */
  private body(): Record<string, unknown> {
    const [first] = this.makers
    const { request = {} } = this.schemas
    const body = (first ? first.make(() => harmless) : sample(request)) as Record<string, unknown>
    const tool = request.properties?.['tools']?.items
    if (!tool) return body
    const named = tool.properties?.['name'] ? { name: harmless } : {}
    return { ...body, tools: [{ ...(sample(tool) as object), ...named }] }
  }

  /** The same, for each form that the answer may have. */
  private bodies(): Record<string, unknown>[] {
    const body = this.body()
    const properties = this.schemas.isForm ? Object.entries(this.schemas.request?.properties ?? {}) : []
    const lists = Object.fromEntries(
      properties.flatMap(([name, { items }]) => (items?.enum ? [[name, items.enum]] : [])),
    )
    const switches = Object.fromEntries(
      properties.flatMap(([name, { type }]) => (type === 'boolean' && name !== 'stream' ? [[name, true]] : [])),
    )
    const chosen = properties.flatMap(([name, { enum: values = [] }]) => values.map((value) => ({ [name]: value })))
    return [
      body,
      ...chosen.flatMap((one) => [
        { ...body, ...one },
        { ...body, ...one, ...lists, ...switches },
      ]),
    ]
  }

  /**
   * Everything that callers can say through the route: in these spellings, and with all switches on, or off, as it is.
   */
  asked(chosen: readonly Spelling[]): Saying[] {
    return this.makers.flatMap(({ path, make, isHeard, isSwitched }) =>
      (isSwitched ? [plain] : chosen).map((spelling) => ({
        what: `${showSteps(path)}, ${spelling.name}`,
        spelling,
        body: make(asTaken(spelling)),
        isHeard,
      })),
    )
  }

  /** What is of the wrong kind where a text belongs. */
  misshapen(): Saying[] {
    return this.makers.flatMap(({ path, make, isHeard }) =>
      [{ [harmless]: secret }, [[secret]], Number(secret.split('-')[1])].map((value) => ({
        what: `${showSteps(path)}, of the wrong kind`,
        spelling: plain,
        body: make(() => value),
        isHeard,
      })),
    )
  }

  /** Everything that models can say through the route, alone or as one of several answers; as it is, both. */
  answered(chosen: readonly Spelling[]): Saying[] {
    const several = this.schemas.request?.properties?.['n'] ? [{}, { n: 2 }] : [{}]
    // What looks like an identifier where one belongs is taken for one.
    const sayable = (place: Place) =>
      this.leafAt(place) === 'identifier' ? chosen.filter(({ text }) => !identifier.test(text)) : chosen
    return this.heard.flatMap(({ place, body, isWhole }) =>
      sayable(place).flatMap((spelling, at) =>
        several
          .map((alternatives, choice) => ({ alternatives, choice }))
          .filter(({ choice }) => spelling === plain || choice === at % several.length)
          .map(({ alternatives, choice }) => ({
            what: `the model's ${place}, ${spelling.name}`,
            spelling,
            body: { ...body, ...alternatives },
            script: { place, choice },
            isWhole,
            isHeard: true,
          })),
      ),
    )
  }
}

/** What models read: each string, and texts in parts as wholes. */
export const readBy = (requests: readonly unknown[]): string[] =>
  requests.flatMap((request) => {
    const { messages = [] } = request as { messages?: readonly ChatMessage[] }
    return [...allStrings(request), ...messages.map(textOf)]
  })
