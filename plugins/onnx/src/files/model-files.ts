import { existsSync, readFileSync, statSync } from 'node:fs'
import { failure } from '@sallyport/core'
import type { ModelSpec } from '@sallyport/core'
import { isList, isRecord } from '@sallyport/kit/json'

/** The maximum size of a JSON file. A vocabulary of 250,000 tokens takes 17 MB. */
const maxJsonBytes = 256 * 1024 * 1024

/** The files of one model, by role. */
export class ModelFiles {
  constructor(private readonly spec: Pick<ModelSpec, 'id' | 'files' | 'contextLength'>) {}

  get model(): string {
    return this.spec.id
  }

  /** The maximum number of tokens in a text, if the catalogue states it. */
  get contextLength(): number | undefined {
    return this.spec.contextLength
  }

  /** @throws model_files */
  requiredPath(role: string): string {
    const path = this.path(role)
    if (path !== undefined) return path
    throw failure('model_files', { model: this.model, problem: `it has no file "${role}"` })
  }

  /** Undefined where there is no such file. @throws model_files for one that has been removed */
  path(role: string): string | undefined {
    const path = this.spec.files[role]
    if (path === undefined || existsSync(path)) return path
    const problem = `its file "${role}" is missing: put it back, or restart the server`
    throw failure('model_files', { model: this.model, problem })
  }

  /** Undefined where there is no such file. @throws model_invalid, model_files */
  json(role: string): Record<string, unknown> | undefined {
    const value = this.parsed(role)
    if (value === undefined || isRecord(value)) return value
    throw this.invalid(role, 'is not a JSON object')
  }

  /** Undefined where there is no such file. @throws model_invalid, model_files */
  list(role: string): readonly unknown[] | undefined {
    const value = this.parsed(role)
    if (value === undefined || isList(value)) return value
    throw this.invalid(role, 'is not a JSON array')
  }

  private parsed(role: string): unknown {
    const path = this.path(role)
    if (path === undefined) return undefined
    if (statSync(path).size > maxJsonBytes) throw this.invalid(role, 'is too large to be read')
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as unknown
    } catch (cause) {
      throw this.invalid(role, 'is not valid JSON', cause)
    }
  }

  private invalid(role: string, problem: string, cause?: unknown) {
    return failure('model_invalid', { model: this.model, problem: `its ${role} ${problem}` }, { cause })
  }
}
