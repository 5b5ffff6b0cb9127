import { isSallyportError } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { toTool } from '../tool.js'
import type { ListedTool } from '../tool.js'
import { judgeBy } from './approval.js'
import type { Approval, Judgement, ToolHashes } from './approval.js'
import type { PinFiles, ToolDefinitions } from './pin-files.js'

const none: ToolHashes = new Map()

const definitionsOf = (listed: readonly ListedTool[]): ToolDefinitions =>
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
    const hashes: ToolHashes = new Map(listed.map(({ name, hash }) => [name, hash]))
    this.writeListed(hashes, listed)
    const judgement = judgeBy(this.pins(hashes, listed), listed)
    this.warn(judgement)
    return judgement
  }

  /**
   * The approved hashes. The file is read each time, so that approvals apply at once. Where this or the first approval
   * fails, there are none.
   */
  private pins(hashes: ToolHashes, listed: readonly ListedTool[]): ToolHashes {
    try {
      const approved = this.approved()
      if (approved) return approved
      if (this.files.approveFirst(this.label, hashes)) {
        this.files.writeDefinitions(this.label, 'approved', definitionsOf(listed))
        this.logger.info({ tools: [...hashes.keys()] }, 'the tools are approved as they were first listed')
      }
      return this.approved() ?? none
    } catch (error) {
      const problem = isSallyportError(error) ? error.message : String(error)
      if (problem !== this.lastProblem)
        this.logger.error({ problem }, 'the approved tools cannot be read or written: none is offered')
      this.lastProblem = problem
      return none
    }
  }

  private approved(): ToolHashes | undefined {
    const approved = this.files.approved(this.label)
    this.lastProblem = ''
    return approved
  }

  private writeListed(hashes: ToolHashes, listed: readonly ListedTool[]): void {
    const listing = JSON.stringify([...hashes])
    if (listing === this.lastListing) return
    try {
      this.files.writeListed(this.label, hashes)
      this.files.writeDefinitions(this.label, 'listed', definitionsOf(listed))
      this.lastListing = listing
    } catch (error) {
      this.logger.error({ error: String(error) }, 'the list of tools cannot be written')
    }
  }

  private warn({ refused }: Judgement): void {
    const refusals = JSON.stringify([...refused])
    if (refusals === this.lastRefusals) return
    this.lastRefusals = refusals
    if (refused.size)
      this.logger.warn(
        { tools: Object.fromEntries(refused) },
        'tools that are new or have changed since approval are left out: see the commands `tools list` and `tools show` of sallyport (add --config for a configuration other than sallyport.yaml)',
      )
  }
}
