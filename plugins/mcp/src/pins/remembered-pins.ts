import { isSallyportError } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { toTool } from '../tool.js'
import type { ListedTool } from '../tool.js'
import { judgeBy } from './approval.js'
import type { Approval, Judgement, Pins } from './approval.js'
import type { PinFiles, ToolTexts } from './pin-files.js'

const none: Pins = new Map()

const textsOf = (listed: readonly ListedTool[]): ToolTexts =>
  Object.fromEntries(listed.map((tool) => [tool.name, toTool(tool)]))

/** Approves tools as they are first listed; changed and new tools wait for the operator. */
export class RememberedPins implements Approval {
  private lastListing = ''
  private lastRefusals = ''
  private lastProblem = ''

  constructor(
    private readonly label: string,
    private readonly files: PinFiles,
    private readonly logger: Logger,
  ) {}

  judge(listed: readonly ListedTool[]): Judgement {
    const pins: Pins = new Map(listed.map(({ name, hash }) => [name, hash]))
    this.remember(pins, listed)
    const judgement = judgeBy(this.approved(pins, listed), listed)
    this.warn(judgement)
    return judgement
  }

  /** Reads the file each time, so that approvals apply at once. Where it cannot be read, no tool is approved. */
  private approved(pins: Pins, listed: readonly ListedTool[]): Pins {
    try {
      const approved = this.files.approved(this.label)
      if (approved) return approved
      if (this.files.approveFirst(this.label, pins)) {
        this.files.keepTexts(this.label, 'approved', textsOf(listed))
        this.logger.info({ tools: [...pins.keys()] }, 'the tools are approved as they were listed first')
      }
      return this.files.approved(this.label) ?? none
    } catch (error) {
      const problem = isSallyportError(error) ? error.message : String(error)
      if (problem !== this.lastProblem)
        this.logger.error({ problem }, 'the approved tools cannot be read: none is offered')
      this.lastProblem = problem
      return none
    }
  }

  private remember(pins: Pins, listed: readonly ListedTool[]): void {
    const text = JSON.stringify([...pins])
    if (text === this.lastListing) return
    try {
      this.files.remember(this.label, pins)
      this.files.keepTexts(this.label, 'listed', textsOf(listed))
      this.lastListing = text
    } catch (error) {
      this.logger.error({ error: String(error) }, 'the list of tools cannot be written')
    }
  }

  private warn({ refused }: Judgement): void {
    const text = JSON.stringify([...refused])
    if (text === this.lastRefusals) return
    this.lastRefusals = text
    if (refused.size)
      this.logger.warn(
        { tools: Object.fromEntries(refused) },
        `tools are not as they were approved, and left out: see  sallyport tools list  and  sallyport tools show, with --config where it is not sallyport.yaml`,
      )
  }
}
