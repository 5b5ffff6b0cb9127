/** The arguments of a template tag. */
export type Template = readonly [strings: TemplateStringsArray, ...values: string[]]

const tag =
  (flags: string) =>
  (...template: Template): RegExp =>
    new RegExp(String.raw(...template), flags)

/** Template tags for patterns, by their flags; backslashes stay as they are written. */
export const raw = { u: tag('u'), iu: tag('iu'), gu: tag('gu'), giu: tag('giu') }
