import { fork } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'

const [moduleUrl, registerUrl] = ['module', 'register'].map(
  (name) => new URL(`../../src/plugins/${name}.js`, import.meta.url).href,
)

describe('a plugin in a child process', () => {
  const { write } = useTemporaryDirectory()

  const program = (plugin: string) => `
    const { importCheckedPlugin } = await import(${JSON.stringify(moduleUrl)})
    const { registerImportHooks } = await import(${JSON.stringify(registerUrl)})
    const definition = await importCheckedPlugin(${JSON.stringify(plugin)})
    registerImportHooks()
    process.send([definition.name, Object.keys(definition.models)])
  `

  it('is imported from TypeScript, with the core of the child', async () => {
    const plugin = write(
      'plugin.ts',
      `import { chat, definePlugin, injectable } from '@sallyport/core'
       import type { ChatCapability } from '@sallyport/core'
       @injectable() class Silent implements ChatCapability { async *stream() { yield { finish: 'stop' as const } } }
       export default definePlugin({ name: 'child', models: { one: { capability: chat, class: Silent } } })`,
    )
    const script = write('child.mjs', program(pathToFileURL(plugin).href))
    const child = fork(script, { execArgv: [] })
    const [message] = (await once(child, 'message')) as [unknown]
    child.disconnect()
    expect(message).to.deep.equal(['child', ['one']])
    expect((await once(child, 'exit'))[0]).to.equal(0)
  }).timeout(20_000)
})
