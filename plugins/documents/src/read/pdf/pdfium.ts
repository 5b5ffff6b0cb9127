import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { OwnFailure } from '../../problem.js'

/** The functions of PDFium's C API that are used here; the package wraps only a few of them. */
type FunctionName =
  | `_${'malloc' | 'free'}`
  | `_FPDF_${'LoadMemDocument' | 'CloseDocument' | 'GetLastError' | 'GetPageCount' | 'GetMetaText' | 'LoadPage'}`
  | `_FPDF_${'ClosePage' | 'GetPageWidthF' | 'GetPageHeightF' | 'GetPageBoundingBox' | 'RenderPageBitmap'}`
  | `_FPDFPage_${'GetRotation' | 'CountObjects' | 'GetObject'}`
  | `_FPDFPageObj_${'GetType' | 'GetBounds'}`
  | '_FPDFImageObj_GetRenderedBitmap'
  | `_FPDFText_${'LoadPage' | 'ClosePage' | 'CountChars' | 'GetUnicode' | 'GetTextObject' | 'GetFontSize'}`
  | `_FPDFText_${'GetFontWeight' | 'GetCharAngle' | 'IsGenerated' | 'GetLooseCharBox' | 'GetMatrix'}`
  | `_FPDFLink_${'Enumerate' | 'GetAnnotRect' | 'GetAction'}`
  | '_FPDFAction_GetURIPath'
  | `_FPDFBitmap_${'CreateEx' | 'FillRect' | 'GetBuffer' | 'GetStride' | 'GetWidth' | 'GetHeight' | 'GetFormat'}`
  | '_FPDFBitmap_Destroy'

/** Numbers in and out; pointers are numbers, and booleans 0 or 1. */
type Native = Readonly<Record<FunctionName, (...values: number[]) => number>> & {
  /** These views are replaced when the memory grows. */
  readonly HEAPU8: Uint8Array
  readonly HEAPF32: Float32Array
}

interface WasmMemory {
  readonly buffer: ArrayBuffer
  /** @param pages of 64 KiB */
  grow(pages: number): number
}

/** The used part of WebAssembly, whose types come only with those of browsers. */
declare const WebAssembly: {
  readonly Module: new (program: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> }
  readonly Memory: abstract new () => WasmMemory
}

/** Limits the memory of PDFium. */
class MemoryBound {
  maxBytes = Infinity
  /** Whether PDFium exceeded the limit, after which it is unusable. */
  exceeded = false

  on(memory: WasmMemory): void {
    const grow = memory.grow.bind(memory)
    memory.grow = (pages) => {
      if (memory.buffer.byteLength + pages * 65_536 <= this.maxBytes) return grow(pages)
      this.exceeded = true
      throw new RangeError('PDFium may take no more memory')
    }
  }
}

/** An instance of PDFium, with some of its memory for output values. */
export class Pdfium {
  private readonly scratch: number

  private constructor(
    readonly native: Native,
    private readonly memory: MemoryBound,
  ) {
    this.scratch = this.allocate(64)
  }

  private static loading: Promise<Pdfium> | undefined

  /** One instance serves all documents until it exceeds its memory limit. */
  static load(): Promise<Pdfium> {
    this.loading ??= this.instantiate()
    return this.loading
  }

  private static async instantiate(): Promise<Pdfium> {
    const file = createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')
    const program = new WebAssembly.Module(await readFile(file))
    const bound = new MemoryBound()
    const instantiateWasm = (imports: object, done: (instance: object) => void) => {
      const instance = new WebAssembly.Instance(program, imports)
      for (const one of Object.values(instance.exports)) if (one instanceof WebAssembly.Memory) bound.on(one)
      done(instance)
      return instance.exports
    }
    const library = await PDFiumLibrary.init({ instantiateWasm })
    return new Pdfium((library as unknown as { readonly module: Native }).module, bound)
  }

  /**
   * Runs a task with a limit of memory in bytes. (PDFium never returns memory, but reuses it.)
   * @throws what the task throws; `refused` where it would exceed the limit
   */
  async withMemoryLimit<Result>(bytes: number, refused: () => Error, task: () => Promise<Result>): Promise<Result> {
    this.memory.maxBytes = Math.max(bytes, this.native.HEAPU8.length)
    try {
      const result = await task()
      if (!this.memory.exceeded) return result
    } catch (error) {
      if (!this.memory.exceeded) throw error
    } finally {
      this.memory.maxBytes = Infinity
    }
    Pdfium.loading = undefined
    throw refused()
  }

  /** Calls a function that writes 32-bit floats to a pointer; undefined where it fails. Valid until the next call. */
  floats(count: number, call: (pointer: number) => number): Float32Array | undefined {
    if (!call(this.scratch)) return undefined
    const start = this.scratch / 4
    return this.native.HEAPF32.subarray(start, start + count)
  }

  /** Calls a function that changes integers to which it gets pointers; undefined where it fails. */
  integers(values: readonly number[], call: (...pointers: number[]) => number): number[] | undefined {
    const pointers = values.map((value, index) => {
      this.view().setInt32(this.scratch + 4 * index, value, true)
      return this.scratch + 4 * index
    })
    if (!call(...pointers)) return undefined
    const view = this.view()
    return pointers.map((pointer) => view.getInt32(pointer, true))
  }

  /** Calls a function for the size of a string that it can write, and then again with a buffer of this size. */
  string(encoding: 'utf-8' | 'utf-16le', call: (buffer: number, size: number) => number): string {
    const size = Math.min(call(0, 0), 1 << 20)
    if (size <= 0) return ''
    return this.with(size, (pointer) => {
      call(pointer, size)
      const written = this.native.HEAPU8.subarray(pointer, pointer + size)
      return new TextDecoder(encoding).decode(written).replace(/\0/g, '')
    })
  }

  /** @throws OwnFailure where there is no memory, which ends the process, because PDFium is then unusable */
  allocate(size: number): number {
    const pointer = this.native._malloc(size)
    if (pointer === 0) throw new OwnFailure(`PDFium has no memory for ${size} bytes`)
    return pointer
  }

  /** Allocates memory for the time of a call. */
  with<Result>(size: number, task: (pointer: number) => Result): Result {
    const pointer = this.allocate(size)
    try {
      return task(pointer)
    } finally {
      this.native._free(pointer)
    }
  }

  private view(): DataView {
    return new DataView(this.native.HEAPU8.buffer)
  }
}
