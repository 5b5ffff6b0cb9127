/** Lines of text in columns; columns that hold numbers are aligned to the right. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((title, column) => Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(width)))
  const right = head.map((_, column) => rows.length > 0 && rows.every((row) => /^[-−]?[\d.]*$/.test(row[column] ?? '')))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - width(cell))
        return right[column] ? padding + cell : cell + padding
      })
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map((count) => '─'.repeat(count))), ...rows.map(line)].join('\n')
}

const width = (text: string): number => text.length
