import { writeFile } from 'node:fs/promises'
import { composeSchema, loadConfig } from '@sallyport/config'
import type { PublishedPlugin } from '@sallyport/config'
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
    {
      flags: '--config <file>',
      description: 'for the plugins of this configuration (default: all that are installed)',
    },
    { flags: '--output <file>', description: 'write it to this file' },
  ],
  run: async ({ options }, { print }) => {
    const { config, output } = options as SchemaOptions
    const plugins = config === undefined ? await installed(process.cwd()) : await ofConfig(config)
    const text = JSON.stringify(composeSchema(plugins), null, 2)
    if (output === undefined) print(text)
    else await writeFile(output, `${text}\n`)
  },
}

const importAll = (uses: readonly string[], directory: string): Promise<PublishedPlugin[]> =>
  Promise.all(uses.map(async (use) => ({ use, definition: (await importPlugin(use, directory)).definition })))

const installed = (directory: string) => importAll(installedPlugins(directory), directory)

const ofConfig = async (file: string): Promise<PublishedPlugin[]> => {
  const { plugins, baseDirectory } = await loadConfig(file)
  const uses = plugins.flatMap(({ use }) => (typeof use === 'string' ? use : []))
  return importAll(uses, baseDirectory)
}
