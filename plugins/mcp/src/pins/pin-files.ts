import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failure, systemCode } from '@sallyport/core'
import type { Tool } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import type { ToolHashes } from './approval.js'

type Version = 'approved' | 'listed'

/** Definitions of tools by their names. */
export type ToolDefinitions = Readonly<Record<string, Tool>>

/**
 * Files with the hashes and definitions of the tools of each server, as approved and as last listed. Approved ones are
 * written when tools are first listed, and then only by `sallyport tools approve`.
 */
export class PinFiles {
  private readonly directory: string

  /** @param home the directory in which Sallyport keeps its state */
  constructor(home: string) {
    this.directory = join(home, 'mcp')
  }

  /** The labels of servers that have listed tools, sorted. */
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
  approved(label: string): ToolHashes | undefined {
    return this.read(this.file(label, 'approved'))
  }

  /** @throws config_invalid where the file is damaged */
  listed(label: string): ToolHashes | undefined {
    return this.read(this.file(label, 'listed'))
  }

  /** The definitions of tools; none where the file is missing or damaged. */
  definitions(label: string, version: Version): ToolDefinitions {
    try {
      const data: unknown = JSON.parse(readFileSync(this.file(label, `${version}.definitions`), 'utf8'))
      return isRecord(data) && isRecord(data['tools']) ? (data['tools'] as ToolDefinitions) : {}
    } catch {
      return {}
    }
  }

  /** Stores definitions for people who approve tools; only the hashes decide. */
  writeDefinitions(label: string, version: Version, tools: ToolDefinitions): void {
    const file = this.file(label, `${version}.definitions`)
    renameSync(this.writeDraft(file, tools), file)
  }

  /** Approves tools where none are approved yet. @returns false where another process was first */
  approveFirst(label: string, hashes: ToolHashes): boolean {
    const draft = this.writeDraft(this.file(label, 'approved'), Object.fromEntries(hashes))
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

  approve(label: string, hashes: ToolHashes): void {
    this.replace(this.file(label, 'approved'), hashes)
  }

  writeListed(label: string, hashes: ToolHashes): void {
    this.replace(this.file(label, 'listed'), hashes)
  }

  private file(label: string, kind: Version | `${Version}.definitions`): string {
    return join(this.directory, `${label}.${kind}.json`)
  }

  private replace(file: string, hashes: ToolHashes): void {
    renameSync(this.writeDraft(file, Object.fromEntries(hashes)), file)
  }

  /** Writes a file under another name; its renaming is atomic. */
  private writeDraft(file: string, tools: object): string {
    mkdirSync(this.directory, { recursive: true, mode: 0o700 })
    const draft = `${file}.${randomUUID()}`
    const json = JSON.stringify({ version: 1, tools }, undefined, 2)
    writeFileSync(draft, `${json}\n`, { mode: 0o600, flush: true })
    return draft
  }

  private read(file: string): ToolHashes | undefined {
    try {
      return parse(JSON.parse(readFileSync(file, 'utf8')), file)
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined
      if (error instanceof SyntaxError) throw damagedFile(file)
      throw error
    }
  }
}

const parse = (data: unknown, file: string): ToolHashes => {
  const tools = isRecord(data) ? data['tools'] : undefined
  if (!isRecord(tools)) throw damagedFile(file)
  const entries = Object.entries(tools)
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) throw damagedFile(file)
  return new Map(entries)
}

const damagedFile = (where: string) =>
  failure('config_invalid', {
    where,
    problem: where.endsWith('.approved.json')
      ? 'is damaged: restore it. Where it is deleted, whatever the server lists next is approved'
      : 'is damaged: delete it and restart, and it is written anew as the server lists its tools',
  })
