import { append } from '@sallyport/kit/lists'
import type { Block, DocumentTree } from '../model/blocks.js'
import { text } from '../model/inlines.js'
import { DocumentProblem } from '../problem.js'
import type { Attachment } from './source.js'

/**
 * What is attached to a document stands behind it, each under its name; what cannot be read is left out.
 * @param read of a document of any format; throws DocumentProblem
 */
export const withAttachments = async (
  tree: DocumentTree,
  attachments: readonly Attachment[],
  read: (bytes: Uint8Array) => Promise<DocumentTree>,
): Promise<DocumentTree> => {
  const blocks = [...tree.blocks]
  for (const { name, bytes } of attachments) {
    const attached = await readable(() => read(bytes))
    if (!attached?.blocks.length) continue
    blocks.push({ type: 'heading', level: 2, content: [text(name)] })
    append(blocks, attached.blocks.map(below))
  }
  return { ...tree, blocks }
}

const readable = async (read: () => Promise<DocumentTree>): Promise<DocumentTree | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof DocumentProblem) return undefined
    throw error
  }
}

/** Its places are those of another document. */
const below = (block: Block): Block => {
  const copy: Block & { page?: unknown; box?: unknown } = { ...block }
  delete copy.page
  delete copy.box
  return copy.type === 'heading' ? { ...copy, level: Math.min(6, copy.level + 2) } : copy
}
