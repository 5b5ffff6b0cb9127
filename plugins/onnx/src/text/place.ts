/** Which part of a text is read: some steps only do something at the ends of it. */
export interface Place {
  readonly first: boolean
  readonly last: boolean
  /** The part before it ends within a word. */
  readonly continues: boolean
}
