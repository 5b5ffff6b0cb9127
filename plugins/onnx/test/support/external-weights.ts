import { modelProto } from '@sallyport/weights'

/** A graph that adds one number, which is in another file: out [1] = in [1] + weights [1]. */
export const withWeightsIn = (location: string): Uint8Array => {
  const port = (name: string) => ({
    name,
    type: { tensorType: { elemType: 1, shape: { dim: [{ dimValue: 1 }] } } },
  })
  const externalData = [{ key: 'location', value: location }]
  const graph = {
    name: 'graph',
    node: [{ opType: 'Add', input: ['in', 'weights'], output: ['out'] }],
    initializer: [{ name: 'weights', dims: [1], dataType: 1, dataLocation: 1, externalData }],
    input: [port('in')],
    output: [port('out')],
  }
  return modelProto
    .encode(modelProto.create({ irVersion: 8, opsetImport: [{ domain: '', version: 17 }], graph }))
    .finish()
}
