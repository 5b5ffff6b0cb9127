import { expect } from 'chai'
import { failure } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { NativeModel } from '../src/engine/binding.js'
import { NativeContext } from '../src/engine/native-context.js'
import { loadEngine } from './support/fixtures.js'
import { parrot } from './support/parrot.js'

describe('a load of the engine that fails', () => {
  const { write: file } = useTemporaryDirectory()
  const restore: (() => void)[] = []
  afterEach(() => restore.splice(0).forEach((undo) => undo()))

  /** Until the end of the test, `first` runs ahead of a method of a class. */
  const watch = (prototype: object, method: string, first: () => void) => {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, method)!
    const original = descriptor.value as (this: object, ...parameters: unknown[]) => unknown
    const value = function (this: object, ...parameters: unknown[]) {
      first()
      return original.apply(this, parameters)
    }
    Object.defineProperty(prototype, method, { ...descriptor, value })
    restore.push(() => Object.defineProperty(prototype, method, descriptor))
  }

  const cases: [where: string, contexts: number, freed: string[]][] = [
    ['at the context', 0, ['model']],
    ['at the context for embeddings', 1, ['context', 'model']],
  ]
  for (const [where, contexts, freed] of cases) {
    it(`${where} frees what it has made`, async () => {
      let made = 0
      const disposals: string[] = []
      watch(NativeModel.prototype, 'createContext', () => {
        if (++made > contexts) throw failure('insufficient_memory', { problem: 'there is none' })
      })
      watch(NativeContext.prototype, 'dispose', () => disposals.push('context'))
      watch(NativeModel.prototype, 'dispose', () => disposals.push('model'))
      const loading = loadEngine(file('failing.gguf', parrot([{ chunks: ['Hello ', 'there'] }])), { embeddings: true })
      const error: unknown = await loading.catch((thrown: unknown) => thrown)
      expect(error).to.have.property('code', 'insufficient_memory')
      expect(disposals).to.deep.equal(freed)
    })
  }
})
