/** Decides which models are in memory: they are loaded when they are asked for, within one budget. */

import { failure } from '@sallyport/core'
import { FairQueue, onAbort, untilAborted } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { formatBytes } from '@sallyport/kit/text'
import { throwFirst } from '../plugins/services.js'
import { countMemory, countUnload, countWaiting, measureLoad } from '../telemetry.js'

/** A model that can be loaded and unloaded any number of times. */
export interface Loadable {
  readonly id: string
  /** Milliseconds after its last use for which it stays loaded; Infinity: always, whoever needs its memory. */
  readonly keep: number
  /** Makes its files ready. @returns the bytes of memory that it will take @throws model_files, … */
  prepare(): Promise<number>
  /** @throws model_invalid, … */
  load(): Promise<void>
  unload(): Promise<void>
}

export type Phase = 'unloaded' | 'loading' | 'loaded' | 'unloading'

/** What is known of a model's place in memory. */
export interface ResidentState {
  readonly phase: Phase
  /** How many requests use it. */
  readonly users: number
  readonly bytes: number
  /** Unix milliseconds. */
  readonly lastUsed: number | undefined
}

/** Ends the use of models. */
export type Release = () => void

interface ResidencyTimes {
  /** Milliseconds after which a request for another model makes one that is always in use give way. */
  readonly patience: number
  /** Milliseconds for which a model that could not be loaded is not tried again. */
  readonly retryPause: number
}

const usualTimes: ResidencyTimes = { patience: 10_000, retryPause: 5000 }

class Resident {
  phase: Phase = 'unloaded'
  users = 0
  bytes = 0
  lastUsed: number | undefined
  loadedAt = 0
  /** Whether it takes no new requests, so that it can be unloaded once it is idle. */
  isLeaving = false
  preparing: Promise<number> | undefined
  loading = Promise.resolve()
  keepTimer: NodeJS.Timeout | undefined

  constructor(readonly model: Loadable) {}

  /** Whether requests may use it now or as soon as it is loaded. */
  get isOpen(): boolean {
    return (this.phase === 'loaded' || this.phase === 'loading') && !this.isLeaving
  }

  get isIdle(): boolean {
    return this.phase === 'loaded' && this.users === 0
  }

  get mayLeave(): boolean {
    return this.model.keep !== Infinity
  }
}

/** Models that a request waits for; they find room together or not at all, so that no two requests wait for each other. */
interface Placement {
  readonly tenant: string
  readonly wanted: readonly Resident[]
  readonly place: () => void
}

export class Residency {
  private readonly residents = new Map<Loadable, Resident>()
  private readonly waiting = new FairQueue<Placement>()
  private reserved = 0
  private impatience: { readonly head: Placement; readonly timer: NodeJS.Timeout } | undefined
  private stopped = false

  /** @param usable bytes that the models may take together */
  constructor(
    private readonly usable: number,
    private readonly times = usualTimes,
  ) {}

  stateOf(model: Loadable): ResidentState {
    const { phase, users, bytes, lastUsed } = this.residentOf(model)
    return { phase, users, bytes, lastUsed }
  }

  /**
   * Loads those of the models that are not loaded, and keeps all until they are released. What does not fit beside the
   * others takes the place of the idle ones that were used least recently, or waits. A load goes on when the signal is
   * aborted: the next request finds it done.
   * @throws insufficient_memory for models that can never fit; errors of the loads; the signal's reason
   */
  async acquire(models: readonly Loadable[], requester: Requester): Promise<Release> {
    const wanted = [...new Set(models)].map((model) => this.residentOf(model))
    if (!wanted.every(({ isOpen }) => isOpen)) {
      await this.prepare(models, requester.signal)
      await this.placed(wanted, requester)
    } else this.use(wanted)
    const release = this.releaseOf(wanted)
    try {
      await untilAborted(Promise.all(wanted.map(({ loading }) => loading)), requester.signal)
      return release
    } catch (error) {
      release()
      throw error
    }
  }

  /** Makes the files of models ready, and learns how much memory they will take. @throws model_files, … */
  async prepare(models: readonly Loadable[], signal: AbortSignal): Promise<void> {
    const wanted = models.map((model) => this.residentOf(model))
    await untilAborted(Promise.all(wanted.map((one) => (one.preparing ??= this.prepareOne(one)))), signal)
  }

  /** Unloads a model unless it is in use. @returns whether it is unloaded */
  async unload(model: Loadable): Promise<boolean> {
    const resident = this.residentOf(model)
    if (resident.phase === 'unloaded') return true
    if (!resident.isIdle) return false
    await this.remove(resident)
    return true
  }

  /** Unloads everything, also what is in use. @throws the first error of an unload */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.impatience?.timer)
    const all = [...this.residents.values()]
    for (const { keepTimer } of all) clearTimeout(keepTimer)
    await Promise.allSettled(all.map(({ loading }) => loading))
    throwFirst(await Promise.allSettled(all.filter(({ phase }) => phase === 'loaded').map((one) => this.remove(one))))
  }

  private residentOf(model: Loadable): Resident {
    const resident = this.residents.get(model) ?? new Resident(model)
    this.residents.set(model, resident)
    return resident
  }

  private async prepareOne(resident: Resident): Promise<number> {
    try {
      return (resident.bytes = await resident.model.prepare())
    } catch (error) {
      this.pause(resident, error as Error)
      throw error
    }
  }

  /** For a while, requests fail with the same error. */
  private pause(resident: Resident, error: Error): void {
    const failed = Promise.reject(error)
    failed.catch(() => undefined)
    resident.preparing = failed
    setTimeout(() => (resident.preparing = undefined), this.times.retryPause).unref()
  }

  private async placed(wanted: readonly Resident[], { tenant, signal }: Requester): Promise<void> {
    this.refuseImpossible(wanted)
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        if (this.waiting.remove(tenant, placement)) countWaiting(-1)
        stop()
      }
      const placement: Placement = {
        ...{ tenant, wanted },
        place: () => {
          leave()
          this.use(wanted)
          resolve()
        },
      }
      const stop = onAbort(signal, () => {
        leave()
        reject(signal.reason as Error)
        this.placeNext()
      })
      this.waiting.push(tenant, placement)
      countWaiting(1)
      this.placeNext()
    })
  }

  /** @throws insufficient_memory */
  private refuseImpossible(wanted: readonly Resident[]): void {
    const staying = [...this.residents.values()].filter((one) => !one.mayLeave && one.phase !== 'unloaded')
    const needed = bytesOf(new Set([...staying, ...wanted]))
    if (needed <= this.usable) return
    const own = wanted.map(({ model: { id }, bytes }) => `${id} ${formatBytes(bytes)}`).join(', ')
    const beside = bytesOf(staying.filter((one) => !wanted.includes(one)))
    throw failure('insufficient_memory', {
      problem:
        `${own} cannot be loaded beside ${formatBytes(beside)} that stay loaded: ${formatBytes(this.usable)} may be ` +
        'used; choose a smaller model or a shorter context, or raise limits.memory',
    })
  }

  /** Gives the first in the queue its place, if there is room or room can be made. */
  private placeNext(): void {
    for (;;) {
      const [head] = this.waiting
      this.watch(head)
      if (!head || !this.makeRoom(head)) return
      this.waiting.putLast(head.tenant)
      head.place()
    }
  }

  /** @returns whether there is room now; otherwise room is being made, or nothing can be unloaded */
  private makeRoom({ wanted }: Placement): boolean {
    if (wanted.some(({ isLeaving, phase }) => isLeaving || phase === 'unloading')) return false
    const missing = bytesOf(wanted.filter(({ phase }) => phase === 'unloaded')) - (this.usable - this.reserved)
    if (missing <= 0) return true
    const leaving = [...this.residents.values()].filter(({ phase }) => phase === 'unloading')
    let freed = bytesOf(leaving)
    const idle = [...this.residents.values()]
      .filter((one) => one.isIdle && one.mayLeave && !wanted.includes(one))
      .sort((a, b) => (a.lastUsed ?? 0) - (b.lastUsed ?? 0))
    for (const one of idle) {
      if (freed >= missing) break
      freed += one.bytes
      void this.remove(one)
    }
    return false
  }

  /** When the first in the queue has waited long, the model that was loaded first takes no new requests. */
  private watch(head: Placement | undefined): void {
    if (this.impatience?.head === head) return
    clearTimeout(this.impatience?.timer)
    this.impatience = undefined
    if (!head || this.stopped) return
    const timer = setTimeout(() => {
      this.impatience = undefined
      const [first] = [...this.residents.values()]
        .filter((one) => one.isOpen && one.mayLeave && !head.wanted.includes(one))
        .sort((a, b) => a.loadedAt - b.loadedAt)
      if (first) this.leave(first)
      this.placeNext()
    }, this.times.patience)
    this.impatience = { head, timer: timer.unref() }
  }

  private leave(resident: Resident): void {
    resident.isLeaving = true
    if (resident.isIdle) void this.remove(resident)
  }

  private use(wanted: readonly Resident[]): void {
    for (const resident of wanted) {
      clearTimeout(resident.keepTimer)
      resident.users += 1
      if (resident.phase === 'unloaded') resident.loading = this.load(resident)
    }
  }

  private async load(resident: Resident): Promise<void> {
    resident.phase = 'loading'
    this.reserve(resident, resident.bytes)
    try {
      await measureLoad(resident.model.id, () => resident.model.load())
      resident.phase = 'loaded'
      resident.loadedAt = performance.now()
      if (resident.users === 0) this.rest(resident)
    } catch (error) {
      resident.phase = 'unloaded'
      this.reserve(resident, -resident.bytes)
      this.pause(resident, error as Error)
      throw error
    } finally {
      this.placeNext()
    }
  }

  private releaseOf(wanted: readonly Resident[]): Release {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      for (const resident of wanted) {
        resident.users -= 1
        resident.lastUsed = Date.now()
        if (resident.isIdle) this.rest(resident)
      }
      if (this.waiting.length) this.placeNext()
    }
  }

  /** What happens to a model that nobody uses. */
  private rest(resident: Resident): void {
    if (this.stopped) return
    if (resident.isLeaving) return void this.remove(resident)
    const { keep } = resident.model
    if (keep !== Infinity) resident.keepTimer = setTimeout(() => void this.unload(resident.model), keep).unref()
  }

  private async remove(resident: Resident): Promise<void> {
    clearTimeout(resident.keepTimer)
    resident.phase = 'unloading'
    await resident.model.unload()
    countUnload(resident.model.id)
    resident.phase = 'unloaded'
    resident.isLeaving = false
    resident.loading = Promise.resolve()
    this.reserve(resident, -resident.bytes)
    this.placeNext()
  }

  private reserve({ model }: Resident, bytes: number): void {
    this.reserved += bytes
    countMemory(model.id, bytes)
  }
}

const bytesOf = (residents: Iterable<Resident>): number => {
  let sum = 0
  for (const { bytes } of residents) sum += bytes
  return sum
}
