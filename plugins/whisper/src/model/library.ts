import { createRequire } from 'node:module'

/** What is used of `@fugood/whisper.node`, whose own types are only there as sources. */
export interface Library {
  readonly initWhisper: (options: { filePath: string; useGpu: boolean; useFlashAttn: boolean }) => Promise<Context>
  readonly toggleNativeLog: (enabled: boolean) => Promise<void>
  readonly addNativeLogListener: (listener: (level: string, text: string) => void) => unknown
}

export interface Context {
  readonly transcribeData: (pcm: ArrayBuffer, options: object) => { readonly promise: Promise<NativeResult> }
  readonly release: () => Promise<void>
}

export interface NativeResult {
  /** Of all segments, joined before they became strings. */
  readonly result: string
  readonly language?: string
  /** Times in milliseconds. */
  readonly segments: readonly { readonly text: string; readonly t0: number; readonly t1: number }[]
}

/** Loaded here, so that whoever imports the plugin does without. */
export const loadLibrary = (): Library => createRequire(import.meta.url)('@fugood/whisper.node') as Library
