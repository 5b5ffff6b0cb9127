/**
 * Words that say nothing by themselves, of JSON Schema (drafts 7 to 2020-12) and of what is sent with it: `strict` is
 * OpenAI's, `nullable` OpenAPI's. Detectors of names take some for people.
 */

const keywords = new Set(
  '$anchor $comment $defs $dynamicAnchor $dynamicRef $id $ref $schema $vocabulary additionalItems additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema default definitions dependencies dependentRequired dependentSchemas deprecated description else enum examples exclusiveMaximum exclusiveMinimum format if items maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf not nullable oneOf pattern patternProperties prefixItems properties propertyNames readOnly required strict then title type unevaluatedItems unevaluatedProperties uniqueItems writeOnly'.split(
    ' ',
  ),
)

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

const formats = new Set(
  'date date-time duration email hostname idn-email idn-hostname ipv4 ipv6 iri iri-reference json-pointer regex relative-json-pointer time uri uri-reference uri-template uuid'.split(
    ' ',
  ),
)

/** Whose values are names of properties, or the values to choose from. Others hold content: a `default` may be somebody. */
const choices = new Set(['const', 'enum', 'required'])

export const isKeyword = (key: string): boolean => keywords.has(key)

/** @param key the keyword whose value, or one of whose values, the word is */
export const isSchemaWord = (key: string | number | undefined, word: string): boolean =>
  (key === 'type' && types.has(word)) || (key === 'format' && formats.has(word))

/**
 * Whether a text is the name of a property or a value to choose from, and one word, or points there by such names.
 * @param key itself, or the keyword whose value, or one of whose values, the text is
 */
export const isLoneWord = (key: string | number | undefined, text: string): boolean => {
  if (pointers.has(String(key))) return pointsWithWords(text)
  return (key === text || choices.has(String(key))) && isWord(text)
}

/** Whether a text is one word, such as programs have for names. */
export const isWord = (text: string): boolean => loneWord.test(text)

/** Whose values are made of names of properties: `#/$defs/Rose`. */
const pointers = new Set(['$ref', '$dynamicRef'])

const pointsWithWords = (pointer: string): boolean => {
  const [document, ...steps] = pointer.split('/', maxSteps + 1)
  return document === '#' && steps.length < maxSteps && steps.every((step) => isKeyword(step) || isWord(step))
}

const maxSteps = 8

/**
 * In letters of two cases: up to five parts of one case, such as `first_name` and `HTTP-TOKEN`, or one word with capitals,
 * such as `Rose` and `firstName`. Signs before a capital stand in somebody's name, too: `Jane_Miller`.
 */
const loneWord =
  /^(?=.{1,48}$)(?:[$@]?(?:[\p{Ll}\p{M}\p{N}]+|[\p{Lu}\p{M}\p{N}]+)(?:[$+./:@_-]{1,2}(?:[\p{Ll}\p{M}\p{N}]+|[\p{Lu}\p{M}\p{N}]+)){0,4}|[\p{Ll}\p{M}\p{N}]*(?:\p{Lu}+[\p{Ll}\p{M}\p{N}]*){1,6})$/u
