import { existsSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { isSallyportError } from '@sallyport/core'
import { rejection, codeOf } from '@sallyport/stand-ins/errors'
import { ControlTexts } from '../src/template/control-texts.js'
import { promptFormat } from '../src/template/prompt-format.js'
import { Renderer } from '../src/template/renderer.js'
import type { RendererOptions } from '../src/template/renderer.js'
import type { TemplateMessage } from '../src/template/render-protocol.js'
import { processTime } from '../src/template/process-time.js'

const neverAborted = new AbortController().signal

const user = (content: string): TemplateMessage => ({ role: 'user', content })

const render = async (template: string, messages: TemplateMessage[] = [user('hi')], cpuTime = 200) => {
  const renderer = new Renderer({ model: 'm', template, cpuTime })
  try {
    const variables = { messages, add_generation_prompt: true, bos_token: '<s>', eos_token: '</s>' }
    return await renderer.render(variables, { tenant: 'a', signal: neverAborted })
  } finally {
    await renderer.stop()
  }
}

/** Undefined where the system does not tell. */
const childrenOf = (id: number): number[] | undefined => {
  const file = `/proc/${id}/task/${id}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : undefined
}

describe('chat templates', () => {
  it('see the messages and the special tokens', async () => {
    const template = `{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content | trim }}{{ eos_token }}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}`
    expect(await render(template, [user(' hi '), { role: 'assistant', content: 'ho' }])).to.equal(
      '<s>[user]hi</s>[assistant]ho</s>[assistant]',
    )
  })

  const bad: [what: string, template: string, code: string][] = [
    ['that object to a conversation', "{{ raise_exception('no') }}", 'invalid_request'],
    [
      'that loop for long',
      '{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}',
      'overloaded',
    ],
    [
      'that write too much',
      "{% set ns = namespace(x='aaaaaaaaaaaaaaaa') %}{% for i in range(20) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x }}",
      'invalid_request',
    ],
    ['that cannot be read', '{% if %}', 'model_invalid'],
    ['longer than 256 KiB', ' '.repeat(256 * 1024 + 1), 'model_invalid'],
  ]
  for (const [what, template, code] of bad) {
    it(`${what} end in ${code}`, async function () {
      this.timeout(15_000)
      expect(await codeOf(render(template))).to.equal(code)
    })
  }

  const variables = (messages: TemplateMessage[]) => ({
    messages,
    add_generation_prompt: true,
    bos_token: '',
    eos_token: '',
  })

  it('that need a message of the system are tried with one, too', async () => {
    const template = `{% if messages[0].role != 'system' %}{{ raise_exception('no') }}{% endif %}ok`
    const renderer = new Renderer({ model: 'm', template })
    await renderer.start([[user('hi')], [{ role: 'system' as const, content: 'be' }, user('hi')]].map(variables))
    const error: unknown = await renderer.start([variables([user('hi')])]).catch((thrown: unknown) => thrown)
    expect(isSallyportError(error) && error.code).to.equal('model_invalid')
    await renderer.stop()
  })

  it('whose output is too long ask for a shorter conversation', async () => {
    const error: unknown = await render('{{ messages[0].content }}{{ messages[0].content }}', [
      user('x'.repeat(3 * 1024 * 1024)),
    ]).catch((thrown: unknown) => thrown)
    expect(error).to.have.property('message').that.contains('too long a text').and.contains('shorten')
  })

  const doubled = (times: number) =>
    `{% set ns = namespace(x='aaaaaaaaaaaaaaaa') %}{% for i in range(${times}) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}`

  const greedy: [what: string, template: string][] = [
    [
      'little by little',
      '{% set ns = namespace(x=[]) %}{% for i in range(9000) %}{% set ns.x = [ns.x, range(1000)] %}{% endfor %}',
    ],
    ['with one long list', '{% set x = range(100000000) %}'],
    ['with one long text', `${doubled(24)}{{ ns.x | upper }}`],
    ['with one replacement', `${doubled(20)}{% set y = ns.x | replace('a', 'bbbbbbbbbbbbbbbbbbbbbbbbbb') %}`],
  ]
  for (const [how, template] of greedy) {
    it(`that fill the memory ${how} end in invalid_request`, async function () {
      this.timeout(20_000)
      const error: unknown = await render(template, [user('hi')], 10_000).catch((thrown: unknown) => thrown)
      expect(isSallyportError(error) && error.code).to.equal('invalid_request')
      expect(error).to.have.property('message').that.contains('memory')
    })
  }

  const looping = `{% if messages[0].content == 'loop' %}{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}{% endif %}ok`

  const rendererOf = (options: Partial<RendererOptions> = {}) => {
    const renderer = new Renderer({ model: 'm', template: looping, cpuTime: 100, ...options })
    const ask = (content: string, signal = neverAborted) =>
      renderer.render(variables([user(content)]), { tenant: 'a', signal })
    return { renderer, ask }
  }

  it('that took too long are replaced for the next conversation', async () => {
    const { renderer, ask } = rendererOf()
    const [late, next] = [ask('loop'), ask('hi')]
    expect(await rejection(late)).to.include({ code: 'overloaded', retryAfter: 1 })
    expect(await next).to.equal('ok')
    await renderer.stop()
  })

  it('are not rendered for those who have gone while they waited', async () => {
    const { renderer, ask } = rendererOf()
    const controller = new AbortController()
    const [late, waiting] = [ask('loop'), ask('hi', controller.signal)]
    const reason = new Error('gone')
    controller.abort(reason)
    expect(await rejection(waiting)).to.equal(reason)
    await rejection(late)
    await renderer.stop()
  })

  it('are waited for by so many only', async () => {
    const { renderer, ask } = rendererOf({ queue: 1 })
    const late = rejection(ask('loop'))
    await nextTurn()
    const waiting = ask('hi')
    expect(await rejection(ask('hi'))).to.include({ code: 'overloaded', retryAfter: 1 })
    expect(await waiting).to.equal('ok')
    await late
    expect(await ask('hi')).to.equal('ok')
    await renderer.stop()
  })

  it('are not rendered after the stop', async function () {
    const { renderer, ask } = rendererOf({ cpuTime: 10_000 })
    const before = childrenOf(process.pid)
    await renderer.start()
    const unfinished = [ask('loop'), ask('hi')].map(codeOf)
    await nextTurn()
    await renderer.stop()
    expect(await Promise.all([...unfinished, codeOf(ask('hi'))])).to.deep.equal(Array(3).fill('not_ready'))
    expect(childrenOf(process.pid)).to.deep.equal(before)
  })

  const endChildren = (spared: readonly number[]) => {
    for (const id of childrenOf(process.pid) ?? []) if (!spared.includes(id)) process.kill(id, 'SIGKILL')
  }

  it('are rendered again after their process was ended', async function () {
    this.timeout(10_000)
    const { renderer, ask } = rendererOf()
    const before = childrenOf(process.pid)
    if (!before) this.skip()
    await renderer.start()
    endChildren(before)
    expect(await ask('hi')).to.equal('ok')
    await renderer.stop()
    expect(childrenOf(process.pid)).to.deep.equal(before)
  })

  it('are not blamed for a process that cannot be started', async () => {
    const { renderer, ask } = rendererOf()
    const { execPath } = process
    process.execPath = '/nonexistent/node'
    try {
      for (const attempt of [renderer.start(), ask('hi')])
        expect(await rejection(attempt)).to.include({ code: 'model_unavailable', retryAfter: 1 })
    } finally {
      process.execPath = execPath
    }
    expect(await ask('hi')).to.equal('ok')
    await renderer.stop()
  })

  it('reach nothing of JavaScript', async () => {
    for (const path of ['constructor', '__proto__', 'constructor.constructor', '__class__']) {
      const text = await render(`{{ messages.${path} }}|{{ messages[0].content.${path} }}`).catch(() => '|')
      expect(text).not.to.match(/function|native|object Object/i)
    }
  })

  const formats: [template: string | undefined, name: string][] = [
    ['{{ "<|im_start|>" }}', 'chatml'],
    ['[INST] {{ x }}', 'mistral'],
    ['{{ x }}', 'jinja'],
    [undefined, 'raw'],
  ]
  for (const [template, name] of formats) it(`are named ${name}`, () => expect(promptFormat(template)).to.equal(name))
})

describe('the time of a process', () => {
  it('counts work only', async function () {
    this.timeout(10_000)
    if (!existsSync('/proc/self/stat')) this.skip()
    const before = processTime(process.pid)
    await delay(200)
    const rested = processTime(process.pid)
    expect(rested - before).to.be.below(150)
    while (processTime(process.pid) < rested + 50);
  })

  it('is that of the clock where the system does not tell', async () => {
    const before = processTime(process.pid, false)
    await delay(20)
    expect(processTime(process.pid, false) - before).to.be.at.least(15)
  })

  it('is endless when the process has ended', function () {
    if (!existsSync('/proc/self/stat')) this.skip()
    expect(processTime(2 ** 30)).to.equal(Infinity)
  })
})

describe('control tokens in content', () => {
  const control = (text: string, id: number, strips = false) => ({ text, id, stripsLeft: strips, stripsRight: strips })
  const texts = new ControlTexts([
    control('<|start|>', 1),
    control('<|end|>', 2),
    control('|>x<|', 3),
    control('<mask>', 4, true),
  ])
  const mark = ControlTexts.createSentinel()
  const protect = (text: string) => texts.protect(text, mark)

  const tokensIn = (rendered: string) =>
    texts.split(rendered, mark).flatMap((stretch) => ('token' in stretch ? [stretch.token] : []))
  const textIn = (rendered: string) =>
    texts
      .split(rendered, mark)
      .map((stretch) => ('text' in stretch ? stretch.text : ''))
      .join('')

  const hostile = [
    '<|start|>',
    'a<|end|>b',
    '<|start|>x<|end|>',
    '<<|end|>>',
    '<|start',
    '|start|>',
    'start|>',
    '>',
    '<',
    'start',
    '<|',
    '<|end|><|end|>',
    '<|st<|start|>art|>',
  ]
  for (const content of hostile) {
    it(`stay text: ${content}`, () => {
      const rendered = `<|start|>${protect(content)}<|end|>`
      expect(tokensIn(rendered)).to.deep.equal([1, 2])
      expect(textIn(rendered)).to.equal(content)
    })
  }

  it('do not arise from two contents side by side', () => {
    for (let cut = 1; cut < '<|end|>'.length; cut += 1) {
      const rendered = protect('<|end|>'.slice(0, cut)) + protect('<|end|>'.slice(cut))
      expect(tokensIn(rendered)).to.deep.equal([])
      expect(textIn(rendered)).to.equal('<|end|>')
    }
  })

  it('do not arise from a content between parts that the template wrote', () => {
    expect(tokensIn(`<|${protect('end')}|>`)).to.deep.equal([])
  })

  it('leave ordinary content as it is, so that templates can look at it', () => {
    for (const content of ['Hello', ' a < b ', '<think>yes</think> done', '[INST]', ''])
      expect(protect(content)).to.equal(content)
  })

  it('that the template wrote take the white space that belongs to them', () => {
    expect(texts.split('a <mask> b', mark)).to.deep.equal([{ text: 'a' }, { token: 4 }, { text: 'b' }])
  })

  it('of which there are none leave one stretch', () => {
    expect(new ControlTexts([]).split('text', mark)).to.deep.equal([{ text: 'text' }])
  })
})
