import type { CommandDefinition } from '@sallyport/core'
import { evalCommand } from './evaluate.js'
import { tryCommand } from './try.js'

/** `sallyport guard try | eval` */
export const guardCommand: CommandDefinition = {
  name: 'guard',
  description: 'try the detectors of a configuration',
  commands: [tryCommand, evalCommand],
}
