/** The document model, which readers produce and writers consume. */

import type { Box } from '../geometry.js'

/** The position of a block; pages count from 1. */
export interface Place {
  readonly page?: number
  readonly box?: Box
}

export type Mark = 'bold' | 'italic' | 'strike' | 'code'

/** Text with the same marks. Line breaks in it are those of the source and count as white space. */
export interface TextRun {
  readonly type: 'text'
  readonly text: string
  readonly marks: readonly Mark[]
}

interface Link {
  readonly type: 'link'
  readonly url: string
  readonly content: readonly Inline[]
}

export interface Image {
  readonly type: 'image'
  readonly alt: string
  /** A data URI where images are embedded, or else the address in the document. */
  readonly url?: string
}

interface LineBreak {
  readonly type: 'break'
}

interface NoteReference {
  readonly type: 'note'
  /** The label of a {@link Footnote}. */
  readonly label: string
}

export type Inline = TextRun | Link | Image | LineBreak | NoteReference

export interface Heading extends Place {
  readonly type: 'heading'
  /** From 1 for the outermost. */
  readonly level: number
  readonly content: readonly Inline[]
}

interface Paragraph extends Place {
  readonly type: 'paragraph'
  readonly content: readonly Inline[]
}

export interface List extends Place {
  readonly type: 'list'
  readonly ordered: boolean
  /** Number of the first item. */
  readonly start: number
  readonly items: readonly (readonly Block[])[]
}

export interface Cell {
  readonly content: readonly Block[]
  /** How many columns and rows it takes. */
  readonly columns: number
  readonly rows: number
}

/** A table. Spanned positions have no cell of their own. */
export interface Table extends Place {
  readonly type: 'table'
  /** The number of header rows, which come first. */
  readonly headers: number
  readonly rows: readonly (readonly Cell[])[]
}

export interface Code extends Place {
  readonly type: 'code'
  readonly text: string
  readonly language?: string
}

interface Quote extends Place {
  readonly type: 'quote'
  readonly content: readonly Block[]
}

export interface Footnote extends Place {
  readonly type: 'footnote'
  readonly label: string
  readonly content: readonly Block[]
}

/** A horizontal rule. */
interface Rule extends Place {
  readonly type: 'rule'
}

export type Block = Heading | Paragraph | List | Table | Code | Quote | Footnote | Rule

export interface Page {
  readonly number: number
  readonly width: number
  readonly height: number
}

export interface DocumentTree {
  /** The title that the document declares. */
  readonly title?: string
  readonly blocks: readonly Block[]
  /** The pages, of formats that have them. */
  readonly pages?: readonly Page[]
}
