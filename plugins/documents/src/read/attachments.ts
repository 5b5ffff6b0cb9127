import { append } from '@sallyport/kit/lists'
import type { Block, DocumentTree } from '../model/blocks.js'
import { text } from '../model/inlines.js'
import { DocumentProblem } from '../problem.js'
import type { Attachment } from './source.js'

/**
 * Appends attachments to a document, each under its name; those that cannot be read are left out.
 * @param read reads a document of any format; throws DocumentProblem
 */
export const withAttachments = async (
  tree: DocumentTree,
  attachments: readonly Attachment[],
  read: (bytes: Uint8Array) => Promise<DocumentTree>,
): Promise<DocumentTree> => {
  const blocks = [...tree.blocks]
  for (const { name, bytes } of attachments) {
    const attachment = await read(bytes).catch(undefinedForProblem)
    if (!attachment?.blocks.length) continue
    blocks.push({ type: 'heading', level: 2, content: [text(name)] })
    append(blocks, attachment.blocks.map(asAttachment))
  }
  return { ...tree, blocks }
}

const undefinedForProblem = (error: unknown): undefined => {
  if (!(error instanceof DocumentProblem)) throw error
}

/** Removes positions, which are those of another document, and lowers headings. */
const asAttachment = (block: Block): Block => {
  const copy: Block & { page?: unknown; box?: unknown } = { ...block }
  delete copy.page
  delete copy.box
  return copy.type === 'heading' ? { ...copy, level: Math.min(6, copy.level + 2) } : copy
}
