/** What `check` says of what services reach outside. */

import type { Config, ExamineContext, OutsideEntry, OutsideReport } from '@sallyport/core'
import type { LoadedPlugin } from '@sallyport/kernel'
import { colours } from './colours.js'
import { wrapList } from './wrap.js'

export const reportOutside = async (
  { baseDirectory }: Config,
  plugins: readonly LoadedPlugin[],
  context: Omit<ExamineContext, 'baseDirectory'>,
): Promise<OutsideReport[]> => {
  const examined = plugins.flatMap(({ definition: { services = [] }, options }) =>
    services.map(async (service) => service.examine?.(options, { ...context, baseDirectory })),
  )
  return (await Promise.all(examined)).filter((report) => report !== undefined)
}

export const linesOfEntry = ({ text, lists = [], warning }: OutsideEntry): string[] => [
  text,
  ...lists.flatMap(({ head, items }) => wrapList(`  ${head}:`, items, '    ')),
  ...(warning === undefined ? [] : [colours.yellow(`  warning: ${warning}`)]),
]
