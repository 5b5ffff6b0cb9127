import type { ModelState, ReportState } from '@sallyport/core'

/** The state of a model in this process: how far its life has got and, while it is loaded, what its backend reports. */
export class OwnState {
  private phase: 'loading' | 'loaded' | 'stopped' = 'loading'
  private reported: ModelState = 'ready'
  private told: ModelState = 'loading'

  constructor(private readonly onState: (state: ModelState) => void) {
    onState(this.told)
  }

  get current(): ModelState {
    return this.phase === 'loaded' ? this.reported : this.phase
  }

  enter(phase: 'loaded' | 'stopped'): void {
    this.phase = phase
    this.tell()
  }

  report(state: Parameters<ReportState>[0]): void {
    this.reported = state
    this.tell()
  }

  private tell(): void {
    if (this.told === this.current) return
    this.told = this.current
    this.onState(this.told)
  }
}
