import { expect } from 'chai'
import { startResponses } from '../support/response-server.js'
import type { ResponseServer } from '../support/response-server.js'

describe('the input of responses', () => {
  let started: ResponseServer
  let heard: ResponseServer['heard']
  let ask: ResponseServer['ask']
  before(async () => {
    started = await startResponses()
    ;({ heard, ask } = started)
  })
  after(() => started.server.stop())

  const uri = 'data:image/png;base64,iVBORw0KGgo='
  const image = { type: 'image', mediaType: 'image/png', image: Buffer.from('iVBORw0KGgo=', 'base64') }
  const call = (id: string) => ({ id, name: 'f', arguments: '{}' })
  for (const [what, input, messages] of [
    ['a message without a type', [{ role: 'user', content: 'a' }], [{ role: 'user', content: 'a' }]],
    [
      'a developer’s message',
      [{ type: 'message', role: 'developer', content: 'a' }],
      [{ role: 'system', content: 'a' }],
    ],
    [
      'parts',
      [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'a' },
            { type: 'input_image', image_url: uri, detail: 'low' },
          ],
        },
      ],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { ...image, detail: 'low' },
          ],
        },
      ],
    ],
    [
      'an image as an object',
      [{ role: 'user', content: [{ type: 'input_image', image_url: { url: uri } }] }],
      [{ role: 'user', content: [image] }],
    ],
    [
      'what the model said, fed back in both dialects',
      [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: { type: 'output_text', text: 'a' },
        },
        {
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'b', annotations: [] },
            { type: 'refusal', refusal: 'c' },
          ],
        },
      ],
      [
        { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'b' },
            { type: 'text', text: 'c' },
          ],
        },
      ],
    ],
    [
      'calls in a row, and their results',
      [
        { role: 'assistant', content: 'I call.' },
        { type: 'function_call', id: 'fc_1', call_id: 'x', name: 'f', arguments: '{}', status: 'completed' },
        { call_id: 'y', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'x', output: 'text' },
        { call_id: 'y', output: { a: [1, null] } },
      ],
      [
        { role: 'assistant', content: 'I call.', toolCalls: [call('x'), call('y')] },
        { role: 'tool', content: 'text', toolCallId: 'x' },
        { role: 'tool', content: '{"a":[1,null]}', toolCallId: 'y' },
      ],
    ],
    ...[
      [
        [
          { type: 'input_text', text: 'a' },
          { type: 'input_text', text: 'b' },
        ],
        'ab',
      ],
      [7, '7'],
      [false, 'false'],
      [null, 'null'],
      ['', ''],
      [['a', 'b'], '["a","b"]'],
    ].map(
      ([output, content]) =>
        [
          `an output ${JSON.stringify(output)}`,
          [{ type: 'function_call_output', call_id: 'x', output }],
          [{ role: 'tool', content, toolCallId: 'x' }],
        ] as const,
    ),
    [
      'a remote call, a list of tools, and thoughts',
      [
        { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'town', tools: [] },
        { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Hm' }] },
        {
          type: 'mcp_call',
          id: 'mcp_1',
          server_label: 'town',
          name: 'f',
          arguments: '{}',
          output: 'sunny',
          error: null,
        },
        { type: 'mcp_call', id: 'mcp_2', server_label: 'town', name: 'f', arguments: '{}', output: null, error: 'no' },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'So' }] },
        { role: 'assistant', content: 'Sun.' },
      ],
      [
        { role: 'assistant', content: '', reasoning: 'Hm', toolCalls: [call('mcp_1')] },
        { role: 'tool', content: 'sunny', toolCallId: 'mcp_1' },
        { role: 'assistant', content: '', toolCalls: [call('mcp_2')] },
        { role: 'tool', content: 'no', toolCallId: 'mcp_2' },
        { role: 'assistant', content: 'Sun.', reasoning: 'So' },
      ],
    ],
  ] as const)
    it(`read ${what}`, async () => {
      await ask('/responses', { model: 'recorder', input })
      const read = heard.recorder.at(-1)!.messages
      expect(read).to.deep.equal(messages)
    })
})
