import { expect } from 'chai'
import { idPlaceholder } from '../../src/answer/syntax.js'
import type { CallSyntax, ReasoningSyntax } from '../../src/answer/syntax.js'
import { Renderer } from '../../src/template/renderer.js'
import type { TemplateVariables } from '../../src/template/render-protocol.js'
import { probeSyntax } from '../../src/template/syntax-probe.js'
import type { TemplateSyntax } from '../../src/template/syntax-probe.js'
import { generalSyntax } from '../../src/template/general-tools.js'
import { bareSyntax, deepSeekSyntax, mistralSyntax } from '../support/syntaxes.js'
import * as templates from '../support/templates.js'

const probe = async (template: string, endings: readonly string[]): Promise<TemplateSyntax> => {
  const renderer = new Renderer({ model: 'm', template })
  const render = (variables: Partial<TemplateVariables>) =>
    renderer.attempt({
      messages: [],
      add_generation_prompt: false,
      bos_token: '<s>',
      eos_token: '</s>',
      ...variables,
    })
  try {
    return await probeSyntax(render, template, endings)
  } finally {
    await renderer.stop()
  }
}

const think = (opened: boolean): ReasoningSyntax => ({ begin: '<think>', end: '</think>', opened })

interface Case {
  readonly what: string
  readonly template: string
  readonly endings: readonly string[]
  readonly calls?: CallSyntax
  readonly stringArguments?: boolean
  readonly reasoning?: ReasoningSyntax
  readonly takesSystem?: boolean
}

const imEnd = ['<|im_end|>', '<|endoftext|>']
const cases: Case[] = [
  { what: 'of Qwen 2.5', template: templates.chatMl, endings: imEnd, calls: generalSyntax },
  { what: 'of Qwen 3', template: templates.qwen3, endings: imEnd, calls: generalSyntax, reasoning: think(false) },
  { what: 'of QwQ', template: templates.qwq, endings: imEnd, calls: generalSyntax, reasoning: think(true) },
  { what: 'of Llama 3', template: templates.llama3, endings: ['<|eot_id|>'], calls: bareSyntax },
  {
    what: 'whose calls end otherwise than its answers',
    template: templates.llama3WithCode,
    endings: ['<|eot_id|>', '<|eom_id|>'],
    calls: bareSyntax,
  },
  { what: 'of Mistral', template: templates.mistral, endings: ['</s>'], calls: mistralSyntax, takesSystem: false },
  {
    what: 'of DeepSeek',
    template: templates.deepSeek,
    endings: ['<｜end▁of▁sentence｜>'],
    calls: deepSeekSyntax,
    stringArguments: true,
    reasoning: think(true),
  },
  { what: 'with parameters in XML', template: templates.xmlParameters, endings: imEnd },
  { what: 'that knows no tools', template: templates.withoutTools, endings: imEnd },
  { what: 'that knows no system', template: templates.withoutSystem, endings: ['<end_of_turn>'], takesSystem: false },
]

describe('the syntax of a template', () => {
  for (const { what, template, endings, calls, stringArguments = false, reasoning, takesSystem = true } of cases) {
    it(`${what} is found`, async function () {
      this.timeout(30_000)
      const syntax = await probe(template, endings)
      expect(syntax.calls).to.deep.equal(calls)
      expect(syntax.stringArguments ?? false).to.equal(stringArguments)
      expect(syntax.reasoning).to.deep.equal(reasoning)
      expect(syntax.takesSystem).to.equal(takesSystem)
    })
  }

  it('is found where the token that ends a turn is not known', async function () {
    this.timeout(30_000)
    const { calls } = await probe(templates.chatMl, [])
    expect(calls).to.deep.equal(generalSyntax)
    expect((await probe(templates.mistral, [])).calls?.end).to.deep.equal([', "id": "', idPlaceholder, '"}]'])
  })
})
