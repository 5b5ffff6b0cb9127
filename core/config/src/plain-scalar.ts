import { Schema, isScalar } from 'yaml'
import type { ScalarTag } from 'yaml'

const isScalarTag = (tag: { collection?: unknown }): tag is ScalarTag => !('collection' in tag)

const tags = new Schema({ schema: 'core' }).tags.filter(isScalarTag)

/** What YAML makes of a text that is not quoted: `8080` is a number, `true` a truth value. Never a map or a list. */
export const readPlainScalar = (text: string): unknown => {
  if (text === '') return ''
  const tag = tags.find(({ default: implicit, test }) => implicit === true && test?.test(text))
  const value = tag ? tag.resolve(text, () => undefined, {}) : text
  return isScalar(value) ? value.value : value
}
