import { Parser, Tokenizer } from 'parse5'
import type { DefaultTreeAdapterMap } from 'parse5'
import { checkAttributeCount } from '../../elements.js'

/** Refuses tags of very many attributes while it reads them. @throws DocumentProblem */
export class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  override tokenizer: Tokenizer = new BoundedTokenizer(this.options, this)
}

class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    if (this.currentToken && 'attrs' in this.currentToken) checkAttributeCount(this.currentToken.attrs.length + 1)
    super._leaveAttrName()
  }
}
