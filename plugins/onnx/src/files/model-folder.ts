import { existsSync, readFileSync, statSync } from 'node:fs'
import { failure } from '@sallyport/core'
import type { ModelSpec } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'

/** Vocabularies of 250,000 tokens take 17 MB. */
const maxJson = 256 * 1024 * 1024

/** The files of one model. */
export class ModelFolder {
  constructor(private readonly spec: Pick<ModelSpec, 'id' | 'files' | 'contextLength'>) {}

  get model(): string {
    return this.spec.id
  }

  /** The token limit of a text that the catalogue states. */
  get contextLength(): number | undefined {
    return this.spec.contextLength
  }

  /** Path of the graph. @throws model_files */
  get graph(): string {
    const path = this.path('model')
    if (path !== undefined) return path
    throw failure('model_files', { model: this.model, problem: 'it has no file with the name "model"' })
  }

  /** Undefined where there is no such file. @throws model_files for one that was there and has gone */
  path(name: string): string | undefined {
    const path = this.spec.files[name]
    if (path === undefined || existsSync(path)) return path
    throw failure('model_files', {
      model: this.model,
      problem: `its file "${name}" has gone: put it back, or start again`,
    })
  }

  /** Undefined where there is no such file. @throws model_invalid, model_files */
  json(name: string): Record<string, unknown> | undefined {
    const value = this.parsed(name)
    if (value === undefined || isRecord(value)) return value
    throw this.invalid(name, 'is not a JSON object')
  }

  /** The records of a JSON list; undefined where there is no such file. @throws model_invalid, model_files */
  list(name: string): Record<string, unknown>[] | undefined {
    const value = this.parsed(name)
    if (value === undefined) return undefined
    if (Array.isArray(value)) return value.filter(isRecord)
    throw this.invalid(name, 'is not a JSON list')
  }

  private parsed(name: string): unknown {
    const path = this.path(name)
    if (path === undefined) return undefined
    if (statSync(path).size > maxJson) throw this.invalid(name, 'is too large to be read')
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as unknown
    } catch (cause) {
      throw this.invalid(name, 'is not valid JSON', cause)
    }
  }

  private invalid(name: string, problem: string, cause?: unknown) {
    return failure('model_invalid', { model: this.model, problem: `its ${name} ${problem}` }, { cause })
  }
}
