import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failure, systemCode } from '@sallyport/core'
import type { Tool } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import type { Pins } from './approval.js'

type Kind = 'approved' | 'listed'

/** What tools say of themselves, by their names. */
export type ToolTexts = Readonly<Record<string, Tool>>

/**
 * What is remembered of the tools of a server, in two files: what is approved, which is written when its tools are first
 * listed and then by `sallyport tools approve` alone, and what it listed last, which the server process alone writes. So
 * no lock is needed.
 */
export class PinFiles {
  private readonly directory: string

  /** @param home where the project keeps its state */
  constructor(home: string) {
    this.directory = join(home, 'mcp')
  }

  /** Labels of servers that have listed tools, in order. */
  labels(): string[] {
    try {
      return readdirSync(this.directory)
        .flatMap((name) => /^(.+)\.listed\.json$/.exec(name)?.[1] ?? [])
        .sort()
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return []
      throw error
    }
  }

  /** Undefined before the first listing. @throws config_invalid where the file is damaged */
  approved(label: string): Pins | undefined {
    return this.read(this.file(label, 'approved'))
  }

  /** @throws config_invalid where the file is damaged */
  listed(label: string): Pins | undefined {
    return this.read(this.file(label, 'listed'))
  }

  /** What they said when they were approved, or say now. */
  texts(label: string, what: Kind): ToolTexts {
    try {
      const data: unknown = JSON.parse(readFileSync(this.file(label, `${what}.texts`), 'utf8'))
      return isRecord(data) && isRecord(data['tools']) ? (data['tools'] as ToolTexts) : {}
    } catch {
      return {}
    }
  }

  /** For people who approve: the hashes decide. */
  keepTexts(label: string, what: Kind, tools: ToolTexts): void {
    const file = this.file(label, `${what}.texts`)
    renameSync(this.draft(file, tools), file)
  }

  /** @returns whether it was: of two processes that list at the same time, one is first */
  approveFirst(label: string, pins: Pins): boolean {
    const draft = this.draft(this.file(label, 'approved'), Object.fromEntries(pins))
    try {
      linkSync(draft, this.file(label, 'approved'))
      return true
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
      return false
    } finally {
      rmSync(draft)
    }
  }

  approve(label: string, pins: Pins): void {
    this.replace(this.file(label, 'approved'), pins)
  }

  remember(label: string, pins: Pins): void {
    this.replace(this.file(label, 'listed'), pins)
  }

  private file(label: string, what: Kind | `${Kind}.texts`): string {
    return join(this.directory, `${label}.${what}.json`)
  }

  private replace(file: string, pins: Pins): void {
    renameSync(this.draft(file, Object.fromEntries(pins)), file)
  }

  /** Readers see the whole file or none. */
  private draft(file: string, tools: object): string {
    mkdirSync(this.directory, { recursive: true, mode: 0o700 })
    const draft = `${file}.${randomUUID()}`
    const text = JSON.stringify({ version: 1, tools }, undefined, 2)
    writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true })
    return draft
  }

  private read(file: string): Pins | undefined {
    try {
      return parse(JSON.parse(readFileSync(file, 'utf8')), file)
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined
      if (error instanceof SyntaxError) throw damaged(file)
      throw error
    }
  }
}

const parse = (data: unknown, file: string): Pins => {
  const tools = isRecord(data) ? data['tools'] : undefined
  if (!isRecord(tools)) throw damaged(file)
  const entries = Object.entries(tools)
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) throw damaged(file)
  return new Map(entries)
}

const damaged = (where: string) =>
  failure('config_invalid', {
    where,
    problem: 'is damaged: restore it, or delete it to have the tools pinned anew as the server lists them next',
  })
