import type { Tensor, TensorSignature } from '@sallyport/core'

/**
 * A loaded ONNX model. Runs are synchronous in the native library: they hold the event loop of this process, which is
 * the model's own.
 */
export interface Session {
  readonly inputs: readonly TensorSignature[]
  readonly outputs: readonly TensorSignature[]
  /** What the file says besides; absent where it was not asked. */
  readonly metadata?: Readonly<Record<string, string>>
  /** One evaluation; all outputs unless some are named. @throws invalid_request (names or shapes that do not fit) */
  run(inputs: Readonly<Record<string, Tensor>>, outputs?: readonly string[]): Promise<Record<string, Tensor>>
  release(): Promise<void>
}
