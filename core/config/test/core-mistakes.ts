/** What is wrong with a configuration whatever its plugins are. */

export interface Mistake {
  readonly title: string
  readonly text: string
  /** Without code and file name; several problems as several lines. */
  readonly message: string
}

export const structure: readonly Mistake[] = [
  {
    title: 'an unknown key of a model',
    text: 'models:\n  a:\n    backend: x\n    optons: {}\n',
    message: ':4:5: models.a.optons: unknown key: did you mean "options"?',
  },
  {
    title: 'an unknown key that is near to nothing',
    text: 'store:\n  zzzzzzzz: 1\n',
    message: ':2:3: store.zzzzzzzz: unknown key: there are "catalogues", "offline"',
  },
  {
    title: 'a key in snake case',
    text: 'models: {a: {backend: x, owned_by: me}}',
    message: ':1:26: models.a.owned_by: unknown key: did you mean "ownedBy"?',
  },
  {
    title: 'a misspelt check of a policy',
    text: 'policies:\n  default:\n    input: {injectoin: true}\nplugins: ["@sallyport/testing/reference"]',
    message:
      ':3:13: policies.default.input.injectoin: no loaded plugin brings a check "injectoin": did you mean "injection"?',
  },
  {
    title: 'a check of the wrong stage',
    text: 'policies: {default: {input: {toxicity: true}}}\nplugins: ["@sallyport/testing/reference"]',
    message: ':1:30: policies.default.input.toxicity: the check "toxicity" looks at what comes out only',
  },
  {
    title: 'a word where true belongs',
    text: 'policies:\n  strict:\n    output: {pii: yes}\nplugins: ["@sallyport/testing/reference"]',
    message: ':3:19: policies.strict.output.pii: must be true or false or a map (key: value), but is the text "yes"',
  },
  {
    title: 'a check that is nothing',
    text: 'policies:\n  strict:\n    output:\n      pii:\nplugins: ["@sallyport/testing/reference"]',
    message: ':4:7: policies.strict.output.pii: must be true or false or a map (key: value), but is empty',
  },
  {
    title: 'a number in quotes',
    text: 'limits:\n  deadline: "5"',
    message:
      ':2:13: limits.deadline: must be a number above 0 up to 86400, but is the text "5" (write it without quotes)',
  },
  {
    title: 'numbers out of range',
    text: 'limits:\n  drain: -1\n  memory: 2',
    message:
      '2 problems\n  :2:10: limits.drain: must be a number from 0 to 86400, but is -1' +
      '\n  :3:11: limits.memory: must be a number above 0 up to 1, but is 2',
  },
  {
    title: 'a number that is none',
    text: 'limits:\n  deadline: .nan',
    message: ':2:13: limits.deadline: must be a number above 0 up to 86400, but is NaN',
  },
  {
    title: 'a value that an enumeration does not have',
    text: 'log: {level: inof}',
    message:
      ':1:14: log.level: must be "debug", "info", "warn", "error" or "silent", but is the text "inof": did you mean "info"?',
  },
  {
    title: 'a text where a map belongs',
    text: 'log: debug',
    message: ':1:6: log: must be a map (key: value), but is the text "debug"',
  },
  {
    title: 'a map where a list belongs',
    text: 'plugins:\n  koa: {}',
    message: ':1:1: plugins: must be a list, but is a map',
  },
  {
    title: 'a plugin entry without a name',
    text: 'plugins:\n  - options: {}',
    message: ':2:5: plugins[0]: "use" is missing',
  },
  {
    title: 'a plugin entry that names its plugin by another key',
    text: 'plugins:\n  - name: ./a.ts',
    message: ':2:5: plugins[0].name: unknown key: did you mean "use"?',
  },
  {
    title: 'a misspelt key that is needed, once',
    text: 'models:\n  a: {bakend: b}',
    message: ':2:7: models.a.bakend: unknown key: did you mean "backend"?',
  },
  {
    title: 'an odd key beside a missing one that it is not',
    text: 'models:\n  a: {optons: {}}',
    message:
      '2 problems\n  :2:3: models.a: "backend" is missing\n  :2:7: models.a.optons: unknown key: did you mean "options"?',
  },
  {
    title: 'a plugin entry that is a number',
    text: 'plugins: [5]',
    message: ':1:11: plugins[0]: must be a text that is not empty or a map (key: value), but is 5',
  },
  {
    title: 'a model without a backend',
    text: 'models:\n  a: {}',
    message: ':2:3: models.a: "backend" is missing',
  },
  {
    title: 'a model id that climbs directories',
    text: 'models:\n  "../x": {backend: a}',
    message:
      ':2:3: models["../x"]: the key must be a name of up to 128 letters, digits and _ . : / -, ' +
      'which begins with a letter or digit and has no ".."',
  },
  {
    title: 'an alias that is no name',
    text: 'models:\n  a: {backend: a, aliases: [b, "c d"]}',
    message:
      ':2:32: models.a.aliases[1]: must be a name of up to 128 letters, digits and _ . : / -, ' +
      'which begins with a letter or digit and has no "..", but is the text "c d"',
  },
  {
    title: 'an alias twice',
    text: 'models:\n  a: {backend: a, aliases: [b, b]}',
    message: ':2:19: models.a.aliases: holds the same thing twice',
  },
  {
    title: 'a type to ignore that is no name',
    text: 'policies: {a: {input: {pii: {ignore: ["a b"]}}}}\nplugins: ["@sallyport/testing/reference"]',
    message:
      ':1:39: policies.a.input.pii.ignore[0]: must be the name of a type of finding, such as "LOCATION", ' +
      'but is the text "a b"',
  },
  {
    title: 'a check for callers that only reports',
    text: 'callerPolicy: {input: {injection: {mode: shadow}}}\nplugins: ["@sallyport/testing/reference"]',
    message:
      ':1:36: callerPolicy.input.injection.mode: unknown key: there are "check", "threshold", "budget", "method", "detectors", "combine"',
  },
  {
    title: 'a check for callers that passes when it fails',
    text: 'callerPolicy: {output: {toxicity: {onFailure: open}}}\nplugins: ["@sallyport/testing/reference"]',
    message:
      ':1:36: callerPolicy.output.toxicity.onFailure: unknown key: there are "check", "threshold", "budget", "method", "detectors", "combine", "window"',
  },
  {
    title: 'an action for callers, who say it themselves',
    text: 'callerPolicy: {input: {pii: {action: replace}}}\nplugins: ["@sallyport/testing/reference"]',
    message:
      ':1:30: callerPolicy.input.pii.action: unknown key: there are "check", "threshold", "budget", "method", "restore", "detectors", "combine"',
  },
  {
    title: 'a check for callers that is switched off',
    text: 'callerPolicy: {input: {pii: false}}\nplugins: ["@sallyport/testing/reference"]',
    message: ':1:29: callerPolicy.input.pii: must be true or a map (key: value), but is false',
  },
]

export const syntax: readonly Mistake[] = [
  { title: 'an empty file', text: '', message: ': is empty' },
  { title: 'a file of comments', text: '# nothing\n', message: ': is empty' },
  { title: 'a list', text: '- a', message: ':1:1: must be a map: lines of "key: value"' },
  { title: 'a plain text', text: 'hello', message: ':1:1: must be a map: lines of "key: value"' },
  {
    title: 'a tabulator as indentation',
    text: 'models:\n\tx: 1',
    message: ':2:1: not valid YAML: Tabs are not allowed as indentation',
  },
  {
    title: 'a file that was cut in the middle of a map',
    text: '{"plugins": [], "models": {"a": {"backend": ',
    message: ':1:45: not valid YAML: Flow map in block collection must be sufficiently indented and end with a }',
  },
  {
    title: 'a file that was cut in the middle of a text',
    text: 'plugins:\n  - "@sallyport/k',
    message: ':2:18: not valid YAML: Missing closing "quote',
  },
  {
    title: 'a key twice',
    text: 'models:\n  a: {backend: a}\n  a: {backend: b}',
    message: ':3:3: models.a: is given twice: remove one',
  },
  {
    title: 'a colon in a value',
    text: 'log:\n  level: a: b',
    message: ':2:10: not valid YAML: one key after another; a value with ": " in it must be quoted',
  },
  { title: 'a second document', text: 'log: {}\n---\nlog: {}', message: ':2:1: a second document begins' },
  { title: 'a tag', text: 'log: !include x.yaml', message: ':1:6: not valid YAML: Unresolved tag: !include' },
  {
    title: 'an alias of nothing',
    text: 'log: *base',
    message: ':1:1: log: *base stands for nothing: there is no &base before it',
  },
  {
    title: 'a merge of a text',
    text: 'a: &a x\nlog:\n  <<: *a',
    message: ':3:3: log["<<"]: << takes in maps only: write << : *name of a map',
  },
  {
    title: 'a list as a key',
    text: '? [a]\n: b',
    message: ':1:3: not valid YAML: a key must be a text',
  },
  {
    title: 'a key that is a prototype',
    text: '__proto__: {x: 1}',
    message: ':1:1: __proto__: this key is not allowed',
  },
  {
    title: 'a key deep inside that is a prototype',
    text: 'models:\n  x:\n    backend: y\n    options: {__proto__: {x: 1}}',
    message: ':4:15: models.x.options.__proto__: this key is not allowed',
  },
  {
    title: 'a merged prototype',
    text: 'a: &a {__proto__: {x: 1}}\nlog: {<<: *a}',
    message: ':1:8: a.__proto__: this key is not allowed',
  },
]

export const references: readonly Mistake[] = [
  {
    title: 'a variable that is not set',
    text: 'limits:\n  deadline: ${SALLYPORT_TEST_UNSET}',
    message:
      ':2:13: limits.deadline: the environment variable SALLYPORT_TEST_UNSET is not set: ' +
      'set it, or give a default as ${SALLYPORT_TEST_UNSET:-default}',
  },
  {
    title: 'a malformed reference',
    text: 'store:\n  catalogues:\n    - ${A-b}',
    message:
      ':3:7: store.catalogues[0]: a reference is ${NAME} or ${NAME:-default}, with no braces in the default; ' +
      'for the characters themselves write $${',
  },
  {
    title: 'a reference inside a map in one line',
    text: 'limits: {deadline: ${DEADLINE}}',
    message:
      ':1:21: not valid YAML: Unexpected flow-map-start at node end; ' +
      'inside { } and [ ] a ${…} must be quoted, or the map written on lines of its own',
  },
  {
    title: 'a default of the wrong type',
    text: 'limits:\n  deadline: ${DEADLINE:-soon}',
    message: ':2:13: limits.deadline: must be a number above 0 up to 86400, but is the text "soon"',
  },
  {
    title: 'a quoted reference where a number belongs',
    text: 'limits:\n  deadline: "${DEADLINE:-5}"',
    message:
      ':2:13: limits.deadline: must be a number above 0 up to 86400, but is the text "5" (write it without quotes)',
  },
]
