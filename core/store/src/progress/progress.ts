/** Shows a person who waits what is being fetched. Nothing is shown for what is there already. */
export interface Progress {
  /** A transfer begins. @param total bytes, where known */
  begin(label: string, total: number | undefined): Transfer
  /** Something else that takes time, on a line of its own. */
  say(line: string): void
}

export interface Transfer {
  /** @param bytes that have arrived so far, counting those of an earlier, cut transfer */
  update(bytes: number): void
  end(outcome: 'done' | 'failed'): void
}

export const silentProgress: Progress = {
  begin: () => ({ update: () => undefined, end: () => undefined }),
  say: () => undefined,
}
