/** Very small models in the places of those of the hub. */

import { buildOnnx, int64, scalar } from '@sallyport/weights'

/** In the layout of WeSpeaker: the highest value of each band, less one. */
export const weSpeaker = (): Uint8Array =>
  buildOnnx({
    inputs: [{ name: 'feats', type: 'FP32', shape: ['B', 'T', 80] }],
    outputs: [{ name: 'embs', type: 'FP32', shape: ['B', 80] }],
    nodes: [
      {
        op: 'ReduceMax',
        inputs: ['feats'],
        outputs: ['highest'],
        attributes: { axes: { ints: [1] }, keepdims: { int: 0 } },
      },
      { op: 'Sub', inputs: ['highest', 'one'], outputs: ['embs'] },
    ],
    initializers: { one: scalar(1) },
  })

/** In the layout of TitaNet: the highest value of each band, more for each frame. */
export const titaNet = (): Uint8Array =>
  buildOnnx({
    inputs: [
      { name: 'audio_signal', type: 'FP32', shape: ['B', 80, 'T'] },
      { name: 'length', type: 'INT64', shape: ['B'] },
    ],
    outputs: [
      { name: 'logits', type: 'FP32', shape: ['B', 80] },
      { name: 'embs', type: 'FP32', shape: ['B', 80] },
    ],
    nodes: [
      {
        op: 'ReduceMax',
        inputs: ['audio_signal'],
        outputs: ['highest'],
        attributes: { axes: { ints: [2] }, keepdims: { int: 0 } },
      },
      { op: 'Cast', inputs: ['length'], outputs: ['frames'], attributes: { to: { int: 1 } } },
      { op: 'Add', inputs: ['highest', 'frames'], outputs: ['embs'] },
      { op: 'Neg', inputs: ['embs'], outputs: ['logits'] },
    ],
  })

/**
 * In the layout of pyannote's segmentation, with 100 frames: how loud a frame is tells its class. Silence is class 0, a
 * tenth of full scale class 1 and so on.
 */
export const loudnessSegmentation = (): Uint8Array =>
  buildOnnx({
    inputs: [{ name: 'x', type: 'FP32', shape: ['N', 1, 'T'] }],
    outputs: [{ name: 'y', type: 'FP32', shape: ['N', 'frames', 7] }],
    nodes: [
      { op: 'Reshape', inputs: ['x', 'shape'], outputs: ['frames'] },
      { op: 'Abs', inputs: ['frames'], outputs: ['sizes'] },
      {
        op: 'ReduceMax',
        inputs: ['sizes'],
        outputs: ['peaks'],
        attributes: { axes: { ints: [2] }, keepdims: { int: 1 } },
      },
      { op: 'Sub', inputs: ['peaks', 'levels'], outputs: ['differences'] },
      { op: 'Abs', inputs: ['differences'], outputs: ['distances'] },
      { op: 'Neg', inputs: ['distances'], outputs: ['y'] },
    ],
    initializers: {
      shape: int64([1, 100, 1600]),
      levels: { shape: [7], data: Float32Array.from({ length: 7 }, (_, index) => index / 10) },
    },
  })

/** Reads neither. */
export const otherModel = (): Uint8Array =>
  buildOnnx({
    inputs: [{ name: 'x', type: 'FP32', shape: ['N', 'T'] }],
    outputs: [{ name: 'y', type: 'FP32', shape: ['N', 'T'] }],
    nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
  })
