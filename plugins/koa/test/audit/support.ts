/** Audit logs of tests, and what stands in them. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@sallyport/core'
import { AuditLog } from '../../src/audit/audit-log.js'
import type { AuditLogOptions } from '../../src/audit/audit-log.js'
import { logFiles } from '../../src/audit/log-files.js'
import { HeadSigner } from '../../src/audit/signature.js'

export const signer = new HeadSigner(Buffer.alloc(32, 7))

export interface Settings {
  readonly path: string
  readonly bytes?: number
  readonly keep?: number
  readonly sync?: boolean
}

export const optionsOf = ({ path, bytes = 1e6, keep = 0, sync = false }: Settings): AuditLogOptions => ({
  path,
  rotate: { bytes, keep },
  sync,
})

export const openLog = (settings: Settings, logger = silentLogger, clock?: Parameters<typeof AuditLog.open>[3]) =>
  AuditLog.open(optionsOf(settings), signer, logger, clock)

export const event = (request: string) => ({ kind: 'admitted', request }) as const

export type Line = Readonly<Record<string, unknown>> & { readonly seq: number; readonly kind: string }

/** The lines of all files. */
export const linesIn = (path: string): readonly Line[] =>
  logFiles(path).flatMap((file) =>
    readFileSync(file.path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line),
  )

export const kindsIn = (path: string): readonly string[] => linesIn(path).map(({ kind }) => kind)

/** A new directory for each test. */
export const useDirectory = (): { readonly path: string } => {
  const current = { path: '' }
  beforeEach(() => {
    current.path = mkdtempSync(join(tmpdir(), 'sallyport-audit-'))
  })
  afterEach(() => rmSync(current.path, { recursive: true, force: true }))
  return current
}
