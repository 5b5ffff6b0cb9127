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
    this.remember(pins, listed)
    const judgement = judgeBy(this.approved(pins, listed), listed)
    this.warn(judgement)
    return judgement
  }

  /** Read anew each time, for an approval holds at once. Nothing is approved where that cannot be read. */
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
      if (problem !== this.problem) this.logger.error({ problem }, 'the approved tools cannot be read: none is offered')
      this.problem = problem
      return none
    }
  }

  private remember(pins: Pins, listed: readonly ListedTool[]): void {
    const text = JSON.stringify([...pins])
    if (text === this.written) return
    try {
      this.files.remember(this.label, pins)
      this.files.keepTexts(this.label, 'listed', textsOf(listed))
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
        `tools are not as they were approved, and left out: see  sallyport tools list  and  sallyport tools show, with --config where it is not sallyport.yaml`,
      )
  }
}
