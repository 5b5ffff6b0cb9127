/**
 * A text of others for a terminal, on one line and as long as before: a terminal obeys control characters, so that they
 * could hide or forge lines.
 */
export const withoutControls = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]/gu, '\uFFFD')

/** Like {@link withoutControls}, for a text of several lines. */
export const linesWithoutControls = (text: string): string => text.replace(/[^\n]+/g, (line) => withoutControls(line))
