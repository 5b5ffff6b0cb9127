import { expect } from 'chai'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { loadConfig } from '../src/load.js'

const environment = { PORT: '9000', EMPTY: '', FLAG: 'true', NAME: 'a: {b: [c]} # d', HEX: '0x10', NULL: 'null' }

const cases: readonly (readonly [title: string, written: string, value: unknown])[] = [
  ['a number', '${PORT}', 9000],
  ['a truth value', '${FLAG}', true],
  ['a number in another base', '${HEX}', 16],
  ['null', '${NULL}', null],
  ['a quoted number stays a text', '"${PORT}"', '9000'],
  ['a number in single quotes stays a text', "'${PORT}'", '9000'],
  ['a number with a text tag stays a text', '!!str ${PORT}', '9000'],
  ['a number in a block stays a text', '|-\n    ${PORT}', '9000'],
  ['a default', '${UNSET:-8080}', 8080],
  ['a default with a colon and a dash', '${UNSET:-http://127.0.0.1:8081/v1:-x}', 'http://127.0.0.1:8081/v1:-x'],
  ['an empty default is an empty text', '${UNSET:-}', ''],
  ['a set variable wins over the default', '${PORT:-8080}', 9000],
  ['the default stands for an empty variable too', '${EMPTY:-8080}', 8080],
  ['an empty variable is an empty text', '${EMPTY}', ''],
  ['inside a text', 'http://host:${PORT}/${UNSET:-v1}', 'http://host:9000/v1'],
  ['what looks like YAML stays a text', '${NAME}', 'a: {b: [c]} # d'],
  ['a number made of parts', '${PORT}0', 90_000],
  ['an escape', '$${PORT}', '${PORT}'],
  ['an escape of digits stays a text', '$${PORT}${PORT}', '${PORT}9000'],
  ['a dollar alone', '$PORT costs $5', '$PORT costs $5'],
  ['an anchor', '&a ${PORT}', 9000],
]

describe('references to the environment', () => {
  const directory = useTemporaryDirectory()
  const read = async (text: string) =>
    (await loadConfig(directory.write('config.yaml', text), { environment })).sections['section']

  for (const [title, written, value] of cases)
    it(title, async () => {
      expect(await read(`section:\n  key: ${written}\n`)).to.deep.equal({ key: value })
    })

  it('are not looked for in keys', async () => {
    expect(await read('section:\n  ${PORT}: 1\n')).to.deep.equal({ '${PORT}': 1 })
  })

  it('are looked for in lists and in JSON', async () => {
    expect(await read('{"section": {"list": ["${PORT}", {"a": "x${PORT}"}]}}')).to.deep.equal({
      list: ['9000', { a: 'x9000' }],
    })
  })

  it('are not looked for in what they are replaced by', async () => {
    const file = directory.write('config.yaml', 'section:\n  key: ${OUTER}\n')
    const config = await loadConfig(file, { environment: { OUTER: '${PORT}', PORT: '1' } })
    expect(config.sections['section']).to.deep.equal({ key: '${PORT}' })
  })

  it('use the environment of the process when none is given', async () => {
    const config = await loadConfig(directory.write('config.yaml', 'section:\n  key: ${PATH}x\n'))
    expect(config.sections['section']).to.deep.equal({ key: `${process.env['PATH'] ?? ''}x` })
  })

  it('are all reported that are not set', async () => {
    const file = directory.write('config.yaml', 'a: ${ONE} ${TWO}\nb:\n  - ${THREE}\n')
    const failure = await directory.failureOf(() => loadConfig(file, { environment }))
    expect(failure.split('\n').map((line) => line.split(' is not set')[0])).to.deep.equal([
      'config_invalid 3 problems',
      '  config.yaml:1:4: a: the environment variable ONE',
      '  config.yaml:1:4: a: the environment variable TWO',
      '  config.yaml:3:5: b[0]: the environment variable THREE',
    ])
  })
})
