// Installs and builds the repository when that is needed, so that `npm start` and `npm test` work on a fresh clone.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '../../..')
const stamps = { install: 'node_modules/.sallyport-install', build: 'node_modules/.sallyport-build' }

const needed = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '')
if (isOlder(process.versions.node, needed))
  fail(`Node ${process.versions.node} is too old: install Node ${needed} or newer (https://nodejs.org)`)

step('install', fingerprint(['package.json', 'package-lock.json', ...manifests()].map(hashOf)), () => {
  say('installing packages (npm ci) …')
  // NODE_ENV=production would leave out the compiler.
  npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error')
})
step('build', fingerprint(sources().map(changeOf)), () => {
  say('building …')
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--build'], {
    stdio: 'inherit',
    cwd: root,
  })
})

function isOlder(version, than) {
  const [own, other] = [version, than].map((text) => text.split('.').map(Number))
  const different = other.findIndex((number, index) => own[index] !== number)
  return different >= 0 && own[different] < other[different]
}

/** Runs the work unless the stamp that an earlier run left says that nothing has changed. */
function step(name, state, work) {
  const stamp = join(root, stamps[name])
  const built = name === 'install' ? isInstalled() : existsSync(join(root, 'core/cli/dist/src/main.js'))
  if (built && existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return
  try {
    work()
  } catch (error) {
    fail(`${name} failed (exit ${error.status ?? error.code}): see the lines above`)
  }
  writeFileSync(stamp, state)
}

/** A folder that somebody deleted would show as a stack of Node's. */
function isInstalled() {
  return ['package.json', ...manifests()].every((manifest) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(root, manifest), 'utf8'))
    const places = [join(root, manifest, '../node_modules'), join(root, 'node_modules')]
    return Object.keys({ ...dependencies, ...devDependencies }).every((name) =>
      places.some((place) => existsSync(join(place, name, 'package.json'))),
    )
  })
}

function npm(...args) {
  const cli = process.env.npm_execpath
  const [program, ...first] = cli?.endsWith('.js') ? [process.execPath, cli] : ['npm']
  // onnxruntime-node would download CUDA's libraries; a user who has a GPU says so in the same variable.
  const env = { ONNXRUNTIME_NODE_INSTALL: 'skip', ...process.env }
  execFileSync(program, [...first, ...args], { stdio: ['ignore', 2, 2], cwd: root, env })
}

function manifests() {
  const packages = ['core', 'plugins'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/package.json`),
  )
  return [...packages, 'examples/package.json', 'test/package.json'].filter((file) => existsSync(join(root, file)))
}

function sources(directory = '.') {
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return ['node_modules', 'dist', '.git'].includes(entry.name) ? [] : sources(path)
    return /\.ts$|tsconfig.*\.json$/.test(entry.name) ? [path] : []
  })
}

function fingerprint(lines) {
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

function hashOf(file) {
  return `${file} ${createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex')}`
}

function changeOf(file) {
  const { mtimeMs, size } = statSync(join(root, file))
  return `${file} ${mtimeMs} ${size}`
}

function say(line) {
  process.stderr.write(`sallyport: ${line}\n`)
}

function fail(line) {
  say(line)
  process.exit(1)
}
