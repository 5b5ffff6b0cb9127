/** What is wrong with a configuration in the eyes of its plugins. */

import type { Mistake } from './core-mistakes.js'

/** A plugin with a section, and a backend. */
export const fixture = `
class Backend { async load() { return { provides: [] } } }
const nested = { type: 'object', properties: { deep: { type: 'array', items: { type: 'integer' } } } }
export default {
  name: 'fixture',
  section: 'kiosk',
  options: { type: 'object', properties: { coins: { type: 'integer' }, nested, also: nested } },
  backends: {
    remote: { description: 'for tests', capabilities: [], class: Backend, files: 'none' },
    vending: {
      description: 'for tests',
      capabilities: [],
      class: Backend,
      options: {
        type: 'object',
        properties: {
          url: { type: 'string' },
          server: { type: 'string' },
          key: { type: 'string', pattern: '^sk-', writeOnly: true },
          port: { anyOf: [{ type: 'integer', minimum: 0, maximum: 65535 }, { const: 'auto' }] },
        },
        anyOf: [{ required: ['url'] }, { required: ['server'] }],
      },
    },
  },
}
`

const withPlugin = (text: string) => `plugins: [./fixture.mjs]\n${text}`
const withReference = (text: string) => `plugins: ["@sallyport/testing/reference"]\n${text}`

export const settings: readonly Mistake[] = [
  {
    title: 'a section that nobody reads',
    text: 'plugins: []\nserver:\n  port: 1',
    message: ':2:1: server: no loaded plugin reads "server": add the plugin that does, or remove it',
  },
  {
    title: 'a misspelt key of the core',
    text: 'modles: {}',
    message: ':1:1: modles: no loaded plugin reads "modles": did you mean "models"?',
  },
  {
    title: 'a misspelt section',
    text: withPlugin('kiosc: {}'),
    message: ':2:1: kiosc: no loaded plugin reads "kiosc": did you mean "kiosk"?',
  },
  {
    title: "a section's key at the top",
    text: withPlugin('coins: 5'),
    message: ':2:1: coins: no loaded plugin reads "coins": it belongs inside "kiosk"',
  },
  {
    title: "one of the core's keys at the top",
    text: 'deadline: 5',
    message: ':1:1: deadline: no loaded plugin reads "deadline": it belongs inside "limits"',
  },
  {
    title: 'an unknown key of a section',
    text: withPlugin('kiosk:\n  coin: 5'),
    message: ':3:3: kiosk.coin: unknown key: did you mean "coins"?',
  },
  {
    title: 'a section that is a text',
    text: withPlugin('kiosk: open'),
    message: ':2:8: kiosk: must be a map (key: value), but is the text "open"',
  },
  {
    title: 'an option of a section of the wrong type',
    text: withPlugin('kiosk:\n  nested:\n    deep: [1, x]'),
    message: ':4:15: kiosk.nested.deep[1]: must be a whole number, but is the text "x"',
  },
  {
    title: 'options in the wrong place',
    text: 'plugins:\n  - use: ./fixture.mjs\n    options: {coins: 1}',
    message: ':3:5: plugins[0].options: fixture has its options in the section "kiosk": move them there',
  },
  {
    title: 'options of a plugin without any',
    text: 'plugins:\n  - use: ./plain.mjs\n    options: {coins: 1}',
    message: ':3:5: plugins[0].options: plain has no options: remove them',
  },
  {
    title: 'options of a model whose backend has none',
    text: withPlugin('models:\n  m: {backend: remote, options: {coins: 1}}'),
    message: ':3:24: models.m.options: the backend "remote" has no options: remove them',
  },
  {
    title: 'a policy with a check of a plugin that is not loaded',
    text: withPlugin('policies: {a: {input: {secrets: true}}}'),
    message:
      ':2:24: policies.a.input.secrets: no loaded plugin brings a check "secrets": ' +
      'add "@sallyport/content-checks", which has it, to plugins',
  },
  {
    title: 'a policy with a check that nobody knows',
    text: withReference('policies: {a: {output: {house-rule: {threshold: 0.2}}}}'),
    message:
      ':2:25: policies.a.output.house-rule: no loaded plugin brings a check "house-rule": there are "injection", ' +
      '"pii", "toxicity", "factuality"; an entry under a name of your own says which it is: check: <name>',
  },
  {
    title: 'a misspelt check',
    text: withReference('policies: {a: {output: {toxicty: true}}}'),
    message: ':2:25: policies.a.output.toxicty: no loaded plugin brings a check "toxicty": did you mean "toxicity"?',
  },
  {
    title: 'a name of one’s own for a check that nobody knows',
    text: withReference('policies: {a: {output: {house-rule: {check: pi}}}}'),
    message: ':2:45: policies.a.output.house-rule.check: no loaded plugin brings a check "pi": did you mean "pii"?',
  },
  {
    title: 'a check where it does not look',
    text: withReference('policies: {a: {input: {toxicity: true}}}'),
    message: ':2:24: policies.a.input.toxicity: the check "toxicity" looks at what comes out only',
  },
  {
    title: 'an action where an entry belongs',
    text: withReference('policies: {a: {output: {pii: replace}}}'),
    message:
      ':2:30: policies.a.output.pii: must be true or false or a map (key: value), but is the text "replace": ' +
      'write { action: replace }',
  },
  {
    title: 'a method where an entry belongs',
    text: withReference('policies: {a: {output: {pii: mask}}}'),
    message:
      ':2:30: policies.a.output.pii: must be true or false or a map (key: value), but is the text "mask": ' +
      'write { action: replace, method: mask }',
  },
  {
    title: 'a method of an entry that blocks',
    text: withReference('policies: {a: {output: {pii: {method: mask}}}}'),
    message:
      ':2:31: policies.a.output.pii.method: is how a finding is replaced, and this entry blocks: ' +
      'add action: replace, or remove it',
  },
  ...Object.entries({
    mask: 'mask',
    random: 'random',
  }).map(([title, method]) => ({
    title: `a ${title} that is to be restored`,
    text: withReference(`policies: {a: {input: {pii: {action: replace, method: ${method}, restore: true}}}}`),
    message:
      `:2:${57 + method.length}: policies.a.input.pii.restore: cannot put back what the method ${method} replaces: ` +
      'take method: fake or method: category, or remove it',
  })),
  {
    title: 'a mask of callers that is to be restored',
    text: withReference('callerPolicy: {input: {pii: {method: mask, restore: true}}}'),
    message:
      ':2:44: callerPolicy.input.pii.restore: cannot put back what the method mask replaces: ' +
      'take method: fake or method: category, or remove it',
  },
  ...['{action: block, restore: true}', '{restore: {servers: [crm]}}'].map((entry) => ({
    title: `something that blocks and is to be restored: ${entry}`,
    text: withReference(`policies: {a: {input: {pii: ${entry}}}}`),
    message:
      `:2:${entry.indexOf('restore') + 29}: policies.a.input.pii.restore: puts back what was replaced, and this entry ` +
      'blocks: add action: replace, or remove it',
  })),
  {
    title: 'an answer that is to be restored',
    text: withReference('policies: {a: {output: {pii: {action: replace, method: fake, restore: true}}}}'),
    message:
      ':2:62: policies.a.output.pii.restore: puts back what this check has replaced in requests, and here it replaces ' +
      'nothing: remove it',
  },
  {
    title: 'a restored entry with an unknown key',
    text: withReference('policies: {a: {input: {pii: {action: replace, restore: {server: [crm]}}}}}'),
    message: ':2:57: policies.a.input.pii.restore.server: unknown key: did you mean "servers"?',
  },
  {
    title: "an unknown option of a model's backend",
    text: withPlugin('models:\n  m:\n    backend: vending\n    options:\n      server: x\n      uri: x'),
    message: ':7:7: models.m.options.uri: unknown key: did you mean "url"?',
  },
  {
    title: 'a missing option of a model',
    text: withPlugin('models:\n  m: {backend: vending}'),
    message: ':3:3: models.m.options: "url" or "server" is missing',
  },
  {
    title: 'a source of a model without files',
    text: withPlugin('models:\n  m: {backend: remote, source: ./m}'),
    message: ':3:24: models.m.source: models of the backend "remote" have no files: remove it',
  },
  {
    title: 'a secret of the wrong form',
    text: withPlugin('models:\n  m: {backend: vending, options: {url: a, key: hunter2}}'),
    message: ':3:48: models.m.options.key: must be a text that matches ^sk-, but is another text (not shown)',
  },
  {
    title: 'a number where a text belongs',
    text: withPlugin('models:\n  m: {backend: vending, options: {url: 5}}'),
    message: ':3:40: models.m.options.url: must be a text, but is 5 (write it in quotes)',
  },
  {
    title: 'one of two types',
    text: withPlugin('models:\n  m: {backend: vending, options: {url: a, port: auto2}}'),
    message: ':3:49: models.m.options.port: must be a whole number from 0 to 65535 or "auto", but is the text "auto2"',
  },
  {
    title: 'the fitting one of two types',
    text: withPlugin('models:\n  m: {backend: vending, options: {url: a, port: 70000}}'),
    message: ':3:49: models.m.options.port: must be a whole number from 0 to 65535, but is 70000',
  },
  {
    title: 'a plugin that is not there',
    text: 'plugins:\n  - ./none.mjs',
    message: ':2:5: plugin ./none.mjs: there is no such file: none.mjs',
  },
  {
    title: 'a merged map, at the place where it is written',
    text: 'plugins:\n  - ./fixture.mjs\nkiosk:\n  nested: &nested {deep: [x]}\n  also:\n    <<: *nested\n',
    message:
      '2 problems\n  :4:27: kiosk.nested.deep[0]: must be a whole number, but is the text "x"' +
      '\n  :4:27: kiosk.also.deep[0]: must be a whole number, but is the text "x"',
  },
]
