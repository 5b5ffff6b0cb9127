/** What is said in one language. */
export interface Sentences {
  readonly attacks: readonly string[]
  /** The same words, of someone who attacks nothing. */
  readonly harmless: readonly string[]
}
