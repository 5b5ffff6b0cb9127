/** As wide as a line of the command line's output may be. */
const width = 100

/** `head: a, b, c`, broken after a comma where a line would be too long; what follows is indented. */
export const wrapList = (head: string, items: readonly string[], indent: string): string[] => {
  const lines: string[] = []
  let line = `${head} `
  for (const [index, item] of items.entries()) {
    const text = index === items.length - 1 ? item : `${item}, `
    if (line.length + text.trimEnd().length > width && line.trim() !== head) {
      lines.push(line.trimEnd())
      line = indent
    }
    line += text
  }
  return [...lines, line.trimEnd()]
}
