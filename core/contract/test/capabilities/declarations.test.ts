import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { capabilities } from '../../src/capabilities/index.js'
import type { AnyFields, Capability } from '../../src/capabilities/index.js'
import { packageRoot } from './compile.js'
import { leavesOf } from './leaves.js'

const table: Readonly<Record<string, Capability>> = capabilities

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** What is wrong with a declaration, with the path to it. */
const problemsOf = (fields: AnyFields, leaves: readonly string[]): string[] =>
  leavesOf(fields).flatMap(({ path, leaf }) => {
    const where = path.join('.')
    if (typeof leaf === 'string') return leaves.includes(leaf) ? [] : [`${where}: "${leaf}" cannot stand here`]
    return leaf.opaque.trim().length >= 5 ? [] : [`${where}: opaque without a reason`]
  })

describe('capability declarations', () => {
  it('have different names and tokens', () => {
    const all = Object.values(table)
    expect(new Set(all.map(({ name }) => name)).size).to.equal(all.length)
    expect(new Set(all.map(({ token }) => token)).size).to.equal(all.length)
  })

  it('are all in the table', () => {
    const folder = join(packageRoot, 'src/capabilities')
    const declared = readdirSync(folder).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/= capability<\w+>\(\)\('([\w-]+)'/g)].map(
        ([, name]) => name,
      ),
    )
    expect(Object.values(table).map(({ name }) => name)).to.have.members(declared)
  })

  for (const [key, { name, token, methods, guarded }] of Object.entries(table))
    describe(name, () => {
      it('is found under its name', () => {
        expect(kebab(key)).to.equal(name)
        expect(token).to.equal(Symbol.for(`sallyport.capability.${name}`))
      })

      it('is guarded, or says why not', () => {
        if (guarded !== true) expect(guarded.reason).to.match(/\w{3}/)
      })

      it('declares at least one method', () => {
        expect(Object.keys(methods)).not.to.deep.equal([])
      })

      for (const [method, { kind, input, output }] of Object.entries(methods))
        it(`declares the text of ${method} with leaves that fit`, () => {
          expect(problemsOf(input, ['text', 'part', 'identifier', 'schema', 'name'])).to.deep.equal([])
          // An answer at once may be one text in the items of a list.
          const fitting = [
            'text',
            'delta',
            'line',
            'copy',
            'schema',
            'name',
            ...(kind === 'stream' ? ['aside', 'identifier'] : []),
          ]
          expect(problemsOf(output, fitting)).to.deep.equal([])
        })
    })

  it('check everything that a person writes', () => {
    const unchecked = Object.values(table).flatMap(({ name, methods }) =>
      Object.entries(methods).flatMap(([method, { input }]) =>
        leavesOf(input)
          .filter(
            ({ path, leaf }) =>
              typeof leaf !== 'string' && /^(text|prompt|content|query|documents)$/.test(path.at(-1) ?? ''),
          )
          .map(({ path }) => `${name}.${method}: ${path.join('.')}`),
      ),
    )
    expect(unchecked).to.deep.equal([])
  })
})
