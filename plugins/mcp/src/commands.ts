import { alignColumns } from '@sallyport/kit/text'
import { failure } from '@sallyport/core'
import type { CommandDefinition } from '@sallyport/core'
import { ownCommand } from '@sallyport/kit/installation'
import type { Pins } from './pins/approval.js'
import { PinFiles } from './pins/pin-files.js'

type State = 'approved' | 'changed' | 'new' | 'gone'

const none: Pins = new Map()

/** Every tool that is approved or was listed last, by name. */
const statesOf = (files: PinFiles, label: string): Map<string, State> => {
  const [approved, listed] = [files.approved(label) ?? none, files.listed(label) ?? none]
  const names = [...new Set([...listed.keys(), ...approved.keys()])].sort()
  return new Map(names.map((name) => [name, stateOf(approved.get(name), listed.get(name))]))
}

const stateOf = (approved: string | undefined, listed: string | undefined): State => {
  if (listed === undefined) return 'gone'
  if (approved === undefined) return 'new'
  return approved === listed ? 'approved' : 'changed'
}

const list: CommandDefinition = {
  name: 'list',
  description: 'show the tools that servers listed last, with their hashes, and which of them are approved',
  run: (_, { home, print }) => {
    const files = new PinFiles(home)
    const rows = files.labels().flatMap((label) => {
      const listed = files.listed(label) ?? none
      return [...statesOf(files, label)].map(([name, state]) => [label, name, state, listed.get(name) ?? ''])
    })
    if (!rows.length) print('No tool server has listed its tools yet: they are remembered when a server first does.')
    for (const row of alignColumns([['SERVER', 'TOOL', 'STATE', 'SHA-256'], ...rows])) print(row)
    return Promise.resolve()
  },
}

const show: CommandDefinition = {
  name: 'show',
  description: 'show what a tool says of itself now, and what it said when it was approved',
  arguments: [
    { name: '<label>', description: 'of the server' },
    { name: '<tool>', description: 'name of the tool' },
  ],
  run: ({ arguments: [label = '', tool = ''] }, { home, print }) => {
    const files = new PinFiles(home)
    const state = statesOf(files, label).get(tool)
    if (state === undefined) throw unknown('tool', tool)
    const shown = state === 'changed' ? (['approved', 'listed'] as const) : (['listed'] as const)
    print(`${label} ${tool}: ${state}`)
    for (const what of shown) print(`${what}: ${JSON.stringify(files.texts(label, what)[tool] ?? null, undefined, 2)}`)
    return Promise.resolve()
  },
}

const approve: CommandDefinition = {
  name: 'approve',
  description:
    'let tools be used as their server listed them last: all of a server, or one; at once, on running servers too',
  arguments: [
    { name: '<label>', description: 'of the server' },
    { name: '[tool]', description: 'name of the tool (default: all of the server)' },
  ],
  run: ({ arguments: [label = '', tool] }, { home, print }) => {
    const files = new PinFiles(home)
    if (!files.labels().includes(label)) throw unknown('server', label)
    const approved = approveIn(files, label, tool)
    for (const line of approved) print(line)
    if (!approved.length) print(`nothing to approve: what ${label} listed last is approved already`)
    return Promise.resolve()
  },
}

/** Returns what is approved now that was not before, a line each. */
const approveIn = (files: PinFiles, label: string, tool: string | undefined): string[] => {
  const lines: string[] = []
  const listed = files.listed(label) ?? none
  const wanted = tool === undefined ? [...listed.keys()] : [tool]
  const approved = new Map(files.approved(label))
  const texts = { ...files.texts(label, 'approved') }
  const said = files.texts(label, 'listed')
  for (const name of wanted) {
    const hash = listed.get(name)
    if (hash === undefined) throw unknown('tool', name)
    if (approved.get(name) === hash) continue
    lines.push(`approved ${label} ${name} (${approved.has(name) ? 'changed' : 'new'}): ${hash}`)
    approved.set(name, hash)
    if (said[name]) texts[name] = said[name]
  }
  files.approve(label, approved)
  files.keepTexts(label, 'approved', texts)
  return lines
}

const unknown = (what: string, name = '') =>
  failure('invalid_request', {
    problem: `no ${what} ${name} has been listed: see  ${ownCommand()} tools list`,
  })

/** `sallyport tools list | show | approve` */
export const toolsCommand: CommandDefinition = {
  name: 'tools',
  description: 'tools of tool servers',
  commands: [list, show, approve],
}
