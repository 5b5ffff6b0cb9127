import { alignColumns } from '@sallyport/kit/text'
import { failure } from '@sallyport/core'
import type { CommandDefinition } from '@sallyport/core'
import { ownCommand } from '@sallyport/kit/installation'
import type { ToolHashes } from './pins/approval.js'
import { PinFiles } from './pins/pin-files.js'

type State = 'approved' | 'changed' | 'new' | 'gone'

const none: ToolHashes = new Map()

/** The state of every tool that is approved or was in the last listing, by name. */
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
  description: 'show the tools that servers listed last or that are approved, with their states and listed hashes',
  run: (_, { home, print }) => {
    const files = new PinFiles(home)
    const rows = files.labels().flatMap((label) => {
      const listed = files.listed(label) ?? none
      return [...statesOf(files, label)].map(([name, state]) => [label, name, state, listed.get(name) ?? ''])
    })
    const table = alignColumns([['SERVER', 'TOOL', 'STATE', 'SHA-256'], ...rows])
    for (const line of rows.length ? table : ['No tool server has listed tools to pin yet.']) print(line)
    return Promise.resolve()
  },
}

/** The versions to show of a tool in each state. */
const versionsOf: Readonly<Record<State, readonly ('approved' | 'listed')[]>> = {
  approved: ['listed'],
  changed: ['approved', 'listed'],
  new: ['listed'],
  gone: ['approved'],
}

const show: CommandDefinition = {
  name: 'show',
  description:
    'show the description and schema of a tool as it was listed last and, where that differs, as it was approved',
  arguments: [
    { name: '<label>', description: 'label of the server' },
    { name: '<tool>', description: 'name of the tool' },
  ],
  run: ({ arguments: [label = '', tool = ''] }, { home, print }) => {
    const files = new PinFiles(home)
    const state = statesOf(files, label).get(tool)
    if (state === undefined) throw notListed(`the last listing of ${label} has no tool ${tool}`)
    const versions = versionsOf[state]
    print(`${label} ${tool}: ${state}`)
    for (const version of versions)
      print(`${version}: ${JSON.stringify(files.definitions(label, version)[tool] ?? null, undefined, 2)}`)
    return Promise.resolve()
  },
}

const approve: CommandDefinition = {
  name: 'approve',
  description: 'approve the tools that a server listed last, or one of them; a running Sallyport applies it at once',
  arguments: [
    { name: '<label>', description: 'label of the server' },
    { name: '[tool]', description: 'name of the tool (default: all of the server)' },
  ],
  run: ({ arguments: [label = '', tool] }, { home, print }) => {
    const files = new PinFiles(home)
    if (!files.labels().includes(label)) throw notListed(`no server ${label} has listed its tools`)
    const approved = approveIn(files, label, tool)
    for (const line of approved) print(line)
    const subject = tool === undefined ? `all tools that ${label} listed last are` : `${label} ${tool} is`
    if (!approved.length) print(`nothing to approve: ${subject} approved already`)
    return Promise.resolve()
  },
}

/** Approves tools as listed. @returns a line for each tool that was new or had changed */
const approveIn = (files: PinFiles, label: string, tool: string | undefined): string[] => {
  const lines: string[] = []
  const listed = files.listed(label) ?? none
  const names = tool === undefined ? [...listed.keys()] : [tool]
  const approved = new Map(files.approved(label))
  const definitions = { ...files.definitions(label, 'approved') }
  const listedDefinitions = files.definitions(label, 'listed')
  for (const name of names) {
    const hash = listed.get(name)
    if (hash === undefined) throw notListed(`the last listing of ${label} has no tool ${name}`)
    if (approved.get(name) === hash) continue
    lines.push(`approved ${label} ${name} (${approved.has(name) ? 'changed' : 'new'}): ${hash}`)
    approved.set(name, hash)
    if (listedDefinitions[name]) definitions[name] = listedDefinitions[name]
  }
  files.approve(label, approved)
  files.writeDefinitions(label, 'approved', definitions)
  return lines
}

const notListed = (problem: string) =>
  failure('invalid_request', { problem: `${problem}: see \`${ownCommand()} tools list\`` })

export const toolsCommand: CommandDefinition = {
  name: 'tools',
  description: 'tools of tool servers',
  commands: [list, show, approve],
}
