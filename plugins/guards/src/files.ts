import { readFileSync } from 'node:fs'

/** The weights and rules that come with the package. */
export const modelFolder = new URL('../../models/', import.meta.url)

/** The content of a file of rules; see README.md. */
export const readRules = (name: 'injection' | 'toxicity' | 'languages'): unknown =>
  JSON.parse(readFileSync(new URL(`rules/${name}.json`, modelFolder), 'utf8'))
