import { idPlaceholder } from '../../src/answer/syntax.js'
import type { CallSyntax } from '../../src/answer/syntax.js'

/** Ways in which models write calls. */

/** Llama 3: JSON that nothing announces, one call at most. */
export const bareSyntax: CallSyntax = { begin: ['{"name": "'], middle: ['", "parameters": '], end: ['}'] }

/** Mistral: a list behind a control token, with ids. */
export const mistralSyntax: CallSyntax = {
  begin: ['[TOOL_CALLS] [{"name": "'],
  middle: ['", "arguments": '],
  between: [', "id": "', idPlaceholder, '"}, {"name": "'],
  end: [', "id": "', idPlaceholder, '"}]'],
}

/** Llama 3.1's own functions. */
export const tagSyntax: CallSyntax = {
  begin: ['<function='],
  middle: ['>'],
  between: ['</function>\n<function='],
  end: ['</function>'],
}

export const deepSeekSyntax: CallSyntax = {
  begin: ['<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>'],
  middle: ['\n```json\n'],
  between: ['\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>'],
  end: ['\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'],
}

/** The arguments follow the name at once. */
export const nameOnlySyntax: CallSyntax = { begin: ['[TOOL_CALLS]'], middle: [], end: [] }

export const singleSyntax: CallSyntax = { begin: ['<call>'], middle: [' '], end: [] }
