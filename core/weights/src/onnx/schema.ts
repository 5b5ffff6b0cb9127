/**
 * The parts of onnx.proto3 (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3) that are written here, and read by
 * the onnx plugin.
 */

import type { TensorType } from '@sallyport/core'
import protobuf from 'protobufjs/light.js'

const one = (id: number, type: string) => ({ id, type })
const many = (id: number, type: string) => ({ id, type, rule: 'repeated' })

const root = protobuf.Root.fromJSON({
  nested: {
    ModelProto: {
      fields: {
        irVersion: one(1, 'int64'),
        producerName: one(2, 'string'),
        graph: one(7, 'GraphProto'),
        opsetImport: many(8, 'OperatorSetIdProto'),
        metadataProps: many(14, 'StringStringEntryProto'),
        trainingInfo: many(20, 'TrainingInfoProto'),
        functions: many(25, 'FunctionProto'),
      },
    },
    OperatorSetIdProto: { fields: { domain: one(1, 'string'), version: one(2, 'int64') } },
    StringStringEntryProto: { fields: { key: one(1, 'string'), value: one(2, 'string') } },
    TrainingInfoProto: { fields: { initialization: one(1, 'GraphProto'), algorithm: one(2, 'GraphProto') } },
    FunctionProto: {
      fields: { name: one(1, 'string'), node: many(7, 'NodeProto'), attributeProto: many(11, 'AttributeProto') },
    },
    GraphProto: {
      fields: {
        node: many(1, 'NodeProto'),
        name: one(2, 'string'),
        initializer: many(5, 'TensorProto'),
        input: many(11, 'ValueInfoProto'),
        output: many(12, 'ValueInfoProto'),
        sparseInitializer: many(15, 'SparseTensorProto'),
      },
    },
    NodeProto: {
      fields: {
        input: many(1, 'string'),
        output: many(2, 'string'),
        opType: one(4, 'string'),
        attribute: many(5, 'AttributeProto'),
        domain: one(7, 'string'),
      },
    },
    AttributeProto: {
      fields: {
        name: one(1, 'string'),
        f: one(2, 'float'),
        i: one(3, 'int64'),
        s: one(4, 'bytes'),
        t: one(5, 'TensorProto'),
        g: one(6, 'GraphProto'),
        floats: many(7, 'float'),
        ints: many(8, 'int64'),
        tensors: many(10, 'TensorProto'),
        graphs: many(11, 'GraphProto'),
        type: one(20, 'int32'),
        sparseTensor: one(22, 'SparseTensorProto'),
        sparseTensors: many(23, 'SparseTensorProto'),
      },
    },
    TensorProto: {
      fields: {
        dims: many(1, 'int64'),
        dataType: one(2, 'int32'),
        name: one(8, 'string'),
        rawData: one(9, 'bytes'),
        externalData: many(13, 'StringStringEntryProto'),
        dataLocation: one(14, 'int32'),
      },
    },
    SparseTensorProto: { fields: { values: one(1, 'TensorProto'), indices: one(2, 'TensorProto') } },
    ValueInfoProto: { fields: { name: one(1, 'string'), type: one(2, 'TypeProto') } },
    TypeProto: { fields: { tensorType: one(1, 'TensorTypeProto') } },
    TensorTypeProto: { fields: { elemType: one(1, 'int32'), shape: one(2, 'TensorShapeProto') } },
    TensorShapeProto: { fields: { dim: many(1, 'DimensionProto') } },
    DimensionProto: { fields: { dimValue: one(1, 'int64'), dimParam: one(2, 'string') } },
  },
})
root.resolveAll()

export const modelProto = root.lookupType('ModelProto')

/** `TensorProto.DataType` by the names of the Open Inference Protocol. */
export const dataTypes: Readonly<Record<TensorType, number>> = {
  FP32: 1,
  UINT8: 2,
  INT8: 3,
  UINT16: 4,
  INT16: 5,
  INT32: 6,
  INT64: 7,
  BOOL: 9,
  FP16: 10,
  FP64: 11,
  UINT32: 12,
  UINT64: 13,
}

/** `AttributeProto.AttributeType`. */
export const attributeTypes = { float: 1, int: 2, string: 3, tensor: 4, floats: 6, ints: 7 } as const
