import { writeFile } from 'node:fs/promises'
import { composeSchema, loadConfig } from '@sallyport/config'
import type { CommandDefinition } from '@sallyport/core'
import { installedPlugins, importPlugin } from '@sallyport/kernel'

interface SchemaOptions {
  readonly config?: string
  readonly output?: string
}

export const schemaCommand: CommandDefinition = {
  name: 'schema',
  description: 'print the JSON Schema of a configuration, for editors',
  options: [
    { flags: '--config <file>', description: 'for the plugins of this configuration (default: all installed ones)' },
    { flags: '--output <file>', description: 'write it to this file' },
  ],
  run: async ({ options }, { print }) => {
    const { config: file, output } = options as SchemaOptions
    const config = file === undefined ? undefined : await loadConfig(file)
    const directory = config?.baseDirectory ?? process.cwd()
    const uses = config ? config.plugins.map(({ use }) => use) : installedPlugins(directory)
    const imports = uses
      .filter((use) => typeof use === 'string')
      .map(async (use) => {
        const { definition } = await importPlugin(use, directory)
        return { use, definition }
      })
    const text = JSON.stringify(composeSchema(await Promise.all(imports)), null, 2)
    if (output === undefined) print(text)
    else await writeFile(output, `${text}\n`)
  },
}
