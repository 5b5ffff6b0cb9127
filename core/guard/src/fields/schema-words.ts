/**
 * Keywords of JSON Schema (drafts 7 to 2020-12), with `strict` of OpenAI and `nullable` of OpenAPI. They are not
 * inspected, because detectors of names take some for people.
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

/**
 * Keywords whose values are property names or enumerated values. Others hold content: a `default` may be a person's
 * name.
 */
const nameKeywords = new Set(['const', 'enum', 'required'])

export const isKeyword = (key: string): boolean => keywords.has(key)

/** @param key the keyword that holds the word */
export const isTypeOrFormatName = (key: string | number | undefined, word: string): boolean =>
  (key === 'type' && types.has(word)) || (key === 'format' && formats.has(word))

/**
 * Whether a text is a property name or enumerated value of one word, or a pointer made of such names.
 * @param key the keyword that holds the text, or the text itself if it is a key
 */
export const isPlainSchemaName = (key: string | number | undefined, text: string): boolean => {
  if (pointerKeywords.has(String(key))) return isPointerOfWords(text)
  return (key === text || nameKeywords.has(String(key))) && isWord(text)
}

/** Whether a text is one word in the style of program names. */
export const isWord = (text: string): boolean => wordPattern.test(text)

/** Keywords whose values are pointers: `#/$defs/Rose`. */
const pointerKeywords = new Set(['$ref', '$dynamicRef'])

const isPointerOfWords = (pointer: string): boolean => {
  const [document, ...steps] = pointer.split('/', maxSteps + 2)
  return document === '#' && steps.length <= maxSteps && steps.every((step) => isKeyword(step) || isWord(step))
}

/** Maximum number of steps of a pointer that is looked at. */
const maxSteps = 7

/**
 * Matches up to five parts of one case, such as `first_name` and `HTTP-TOKEN`, or one word with capitals, such as
 * `Rose` and `firstName`. It does not match `Jane_Miller`, which may be a person's name.
 */
const wordPattern =
  /^(?=.{1,48}$)(?:[$@]?(?:[\p{Ll}\p{M}\p{N}]+|[\p{Lu}\p{M}\p{N}]+)(?:[$+./:@_-]{1,2}(?:[\p{Ll}\p{M}\p{N}]+|[\p{Lu}\p{M}\p{N}]+)){0,4}|[\p{Ll}\p{M}\p{N}]*(?:\p{Lu}+[\p{Ll}\p{M}\p{N}]*){1,6})$/u
