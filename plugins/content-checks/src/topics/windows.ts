/** Parts of a text of a few sentences. */

export interface Window {
  readonly start: number
  readonly end: number
}

/** UTF-16 units of a window, about, and of one in a long text: models read some 1,000. */
const [usual, ofLongText] = [240, 800]
/** UTF-16 units of a text that is long. */
const long = 32_768

const sentence = /[^\n]{1,400}?(?:[.!?…]["'”’)]*(?=\s|$)|[。！？]|\n|$)|[^\n]{1,400}|\n/gy

/** Sentences that belong together by their length; paragraphs are not joined where they are long enough. */
export const windowsOf = (text: string): readonly Window[] => {
  const enough = text.length > long ? ofLongText : usual
  const windows: Window[] = []
  let start = 0
  for (const { 0: part, index } of text.matchAll(sentence)) {
    const end = index + part.length
    const isParagraph = part.endsWith('\n') && end - start > enough / 3
    if (end - start < enough && !isParagraph) continue
    windows.push({ start, end })
    start = end
  }
  if (start < text.length) windows.push({ start, end: text.length })
  return windows
}
