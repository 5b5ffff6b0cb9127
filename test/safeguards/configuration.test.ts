import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { program, runNode, runSallyport } from '@sallyport/stand-ins/command-line'

interface Mistake {
  readonly what: string
  readonly models?: string
  readonly rest: string
  /** What is said, at its place where it has one. */
  readonly message: string
  /** One of each kind of place that finds mistakes is tried with a start, too, which takes a second. */
  readonly stopsStart?: true
}

const plugins =
  "plugins: ['@sallyport/koa', '@sallyport/onnx', '@sallyport/pii', '@sallyport/guards', '@sallyport/testing/reference']\n"

const policy = (checks: string) => `policies:\n  default: ${checks}\n`

const mistakes: readonly Mistake[] = [
  {
    what: 'a detector whose model does not exist',
    stopsStart: true,
    models: '  names: { backend: pii, options: { model: rampat } }\n',
    rest: '',
    message:
      '3:44: model names: its option model names "rampat", which is no other model with token-classification (there are: reference-token-classification)',
  },
  {
    what: 'a classifier that is not among the models',
    models: '  attacks: { backend: injection, options: { model: guard } }\n',
    rest: '',
    message:
      '3:52: model attacks: its option model names "guard", which is no other model with text-classification (there are: reference-text-classification)',
  },
  {
    what: 'a classifier that is no classifier',
    models: '  insults: { backend: toxicity, options: { model: reference-chat } }\n',
    rest: '',
    message:
      '3:51: model insults: its option model names "reference-chat", which is no other model with text-classification (there are: reference-text-classification)',
  },
  {
    what: 'a classifier that the catalogue has as something else',
    models:
      '  all-minilm-l6-v2: { backend: onnx }\n  attacks: { backend: injection, options: { model: all-minilm-l6-v2 } }\n',
    rest: '',
    message:
      '4:52: model attacks: its option model names "all-minilm-l6-v2", which is no other model with text-classification (there are: reference-text-classification)',
  },
  {
    what: 'a recogniser that fails its example',
    stopsStart: true,
    models: `  names: { backend: pii, options: { recognizers: [{ entity: BADGE, pattern: 'x{3}', examples: [xx] }] } }\n`,
    rest: '',
    message: '3:51: model names: recogniser BADGE: finds [] in its example "xx"',
  },
  {
    what: 'a pattern without an end',
    models: `  names: { backend: pii, options: { recognizers: [{ entity: BADGE, pattern: 'x+y' }] } }\n`,
    rest: '',
    message: '3:51: model names: recogniser BADGE: has no maximum length: write {1,64} instead of +',
  },
  {
    what: 'a file of recognisers that is not there',
    models: '  names: { backend: pii, options: { recognizers: [./no.mjs] } }\n',
    rest: '',
    message: '3:51: model names: ./no.mjs: there is no such file',
  },
  {
    what: 'a policy of a model that does not exist',
    stopsStart: true,
    models: '  names: { backend: pii, policy: strct }\n',
    rest: 'policies: { strict: { input: { pii: true } } }\n',
    message: '3:34: models.names.policy: there is no policy "strct": did you mean "strict"?',
  },
  {
    what: 'a policy of a route that does not exist',
    stopsStart: true,
    rest: 'policies: { strict: { input: { pii: true } } }\nserver: { policies: { /chat/completions: strct } }\n',
    message: '3:42: server.policies["/chat/completions"]: no policy is called "strct": did you mean "strict"?',
  },
  {
    what: 'a route of a policy that does not exist',
    rest: 'policies: { strict: { input: { pii: true } } }\nserver: { policies: { chat/completions: strict } }\n',
    message: '3:41: server.policies["chat/completions"]: no route has this path: did you mean "/chat/completions"?',
  },
  {
    what: 'a threshold as text',
    stopsStart: true,
    rest: policy('{ input: { injection: { threshold: "0.5" } } }'),
    message:
      '3:47: policies.default.input.injection.threshold: must be a number from 0 to 1, but is the text "0.5" (write it without quotes)',
  },
  {
    what: 'a threshold out of range',
    rest: policy('{ output: { toxicity: { threshold: 1.5 } } }'),
    message: '3:47: policies.default.output.toxicity.threshold: must be a number from 0 to 1, but is 1.5',
  },
  {
    what: 'a misspelt way to fail',
    rest: policy('{ input: { pii: { onFailure: opn } } }'),
    message:
      '3:41: policies.default.input.pii.onFailure: must be "block" or "open", but is the text "opn": did you mean "open"?',
  },
  {
    what: 'a way to fail in snake case',
    rest: policy('{ input: { pii: { on_failure: open } } }'),
    message: '3:30: policies.default.input.pii.on_failure: unknown key: did you mean "onFailure"?',
  },
  {
    what: 'an unknown method',
    rest: policy('{ input: { pii: { action: replace, method: rot13 } } }'),
    message:
      '3:55: policies.default.input.pii.method: must be "random", "fake", "category" or "mask", but is the text "rot13"',
  },
  {
    what: 'two policies of one name',
    stopsStart: true,
    rest: 'policies:\n  default: { input: { pii: true } }\n  default: {}\n',
    message: '4:3: policies.default: is given twice: remove one',
  },
]

describe('mistakes in the configuration of safeguards', function () {
  this.timeout(60_000)
  let directory: string
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sallyport-mistakes-'))
  })
  after(() => rm(directory, { recursive: true, force: true }))

  const environment = () => ({
    XDG_STATE_HOME: directory,
    SALLYPORT_API_KEY: 'sk-test-0123456789abcdef0123456789abcdef',
  })
  const check = (file: string) => runSallyport(['check', file], directory, environment())

  /** The configuration with a mistake, as a file. */
  const fileOf = async ({ models, rest }: Mistake): Promise<string> => {
    const file = join(directory, 'config.yaml')
    await writeFile(file, plugins + (models ? `models:\n${models}` : '') + rest)
    return file
  }

  for (const mistake of mistakes)
    it(`are found by the check, which says what to do: ${mistake.what}`, async () => {
      const { code, output } = await check(await fileOf(mistake))
      expect(output).to.contain(mistake.message)
      expect(code).to.equal(1)
    })

  for (const mistake of mistakes.filter(({ stopsStart }) => stopsStart))
    it(`end a start with the same message: ${mistake.what}`, async () => {
      const { code, output } = await runNode(
        [program, 'serve', '--config', await fileOf(mistake), '--port', '0'],
        directory,
        environment(),
      )
      expect(output).to.contain(mistake.message)
      expect(code).to.equal(1)
    })

  it('are found by the check where a policy demands what no plugin can do', async () => {
    const file = join(directory, 'config.yaml')
    const koaAndPii = "plugins: ['@sallyport/koa', '@sallyport/llama-cpp', '@sallyport/pii']\n"
    const models = 'models: { smollm2-135m-instruct: { backend: llama-cpp } }\n'
    await writeFile(file, koaAndPii + models + policy('{ input: { injection: true } }'))
    const unknown = await check(file)
    expect(unknown.code).to.equal(1)
    expect(unknown.output).to.contain(
      '4:23: policies.default.input.injection: no loaded plugin brings a check "injection": add "@sallyport/guards", which has it, to plugins',
    )
    await writeFile(file, koaAndPii + models + policy('{ input: { pii: true } }'))
    const { code, output } = await check(file)
    expect(code).to.equal(1)
    expect(output).to.contain(
      '4:23: policies.default.input.pii: no model provides "pii": every request to smollm2-135m-instruct would be refused; configure a model with the backend "pii", or remove the check',
    )
  })
})
