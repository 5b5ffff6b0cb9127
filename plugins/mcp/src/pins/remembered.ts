import { isSallyportError } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import type { ListedTool } from '../tool.js'
import { judgeBy } from './approval.js'
import type { Approval, Judgement, Pins } from './approval.js'
import type { PinFiles } from './pin-files.js'

const none: Pins = new Map()

/** What a server lists first is approved; what it lists otherwise later, when the operator has done so. */
export class RememberedPins implements Approval {
  private written = ''
  private objections = ''
  private problem = ''

  constructor(
    private readonly label: string,
    private readonly files: PinFiles,
    private readonly logger: Logger,
  ) {}

  judge(listed: readonly ListedTool[]): Judgement {
    const pins: Pins = new Map(listed.map(({ name, hash }) => [name, hash]))
    this.remember(pins)
    const judgement = judgeBy(this.approved(pins), listed)
    this.warn(judgement)
    return judgement
  }

  /** Read anew each time, for an approval holds at once. Nothing is approved where that cannot be read. */
  private approved(listed: Pins): Pins {
    try {
      const approved = this.files.approved(this.label)
      if (approved) return approved
      if (this.files.approveFirst(this.label, listed))
        this.logger.info({ tools: [...listed.keys()] }, 'the tools are approved as they were listed first')
      return this.files.approved(this.label) ?? none
    } catch (error) {
      const problem = isSallyportError(error) ? error.message : String(error)
      if (problem !== this.problem) this.logger.error({ problem }, 'the approved tools cannot be read: none is offered')
      this.problem = problem
      return none
    }
  }

  private remember(listed: Pins): void {
    const text = JSON.stringify([...listed])
    if (text === this.written) return
    try {
      this.files.remember(this.label, listed)
      this.written = text
    } catch (error) {
      this.logger.error({ error: String(error) }, 'the list of tools cannot be written')
    }
  }

  private warn({ refused }: Judgement): void {
    const text = JSON.stringify([...refused])
    if (text === this.objections) return
    this.objections = text
    if (refused.size)
      this.logger.warn(
        { tools: Object.fromEntries(refused) },
        `tools are not as they were approved, and left out: see  sallyport tools list`,
      )
  }
}
