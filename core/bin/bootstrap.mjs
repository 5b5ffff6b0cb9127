/**
 * Installs and builds what is missing, so that `npm start` and `npm test` work on a fresh clone. By itself it installs
 * what the sources need and builds them; `bootstrap.mjs development` adds tests, examples and their tools. It adds to
 * an installation that is there; npm removes from it what neither package.json nor the lock names.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prune } from './prune.mjs'

const root = resolve(fileURLToPath(import.meta.url), '../../..')
const development = process.argv[2] === 'development'
/** Written after an own `npm ci`: a folder of packages without it is somebody else's. */
const ownMark = join(root, 'node_modules/.sallyport-install')

const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const needed = engines.node.replace('>=', '')
if (isOlder(process.versions.node, needed))
  fail(`Node ${process.versions.node} is too old: install Node ${needed} or newer (https://nodejs.org)`)
install()
build()

function isOlder(version, than) {
  const [own, other] = [version, than].map((text) => text.split('.').map(Number))
  const different = other.findIndex((number, index) => own[index] !== number)
  return different >= 0 && own[different] < other[different]
}

function install() {
  const installed = installedPackages()
  const missing = missingFrom(installed)
  if (!missing.length) return
  const fresh = !existsSync(join(root, 'node_modules'))
  say(fresh ? 'installing packages …' : `installing ${missing.length} packages that are missing or outdated …`)
  // An installation for development stays one. NODE_ENV=production would leave the tools out.
  const developed = Object.values(installed).some(({ dev }) => dev)
  const extent = development || developed ? '--include=dev' : '--omit=dev'
  attempt('install', () => npm(...(fresh ? ['ci'] : ['install', '--no-save']), extent))
  if (fresh) writeFileSync(ownMark, '')
  const pruned = existsSync(ownMark) ? prune(join(root, 'node_modules')) : 0
  if (pruned) say(`removed ${pruned} MB of binaries for other systems (npm ci brings them back)`)
}

/** The paths in the lock file that are not installed in its version. Those of other systems are optional. */
function missingFrom(installed) {
  const locked = Object.entries(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages)
  return locked
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.optional && !entry.devOptional)
    .filter(([, { dev }]) => development || !dev)
    .filter(([path, { version }]) => installed[path]?.version !== version || !existsSync(join(root, path)))
    .map(([path]) => path)
}

/** What npm notes of its installation. */
function installedPackages() {
  const notes = join(root, 'node_modules/.package-lock.json')
  return existsSync(notes) ? JSON.parse(readFileSync(notes, 'utf8')).packages : {}
}

/** The compiler finds out what has changed in a fifth of a second. */
function build() {
  if (!existsSync(join(root, 'core/cli/dist'))) say('building …')
  const compiler = [join(root, 'node_modules/typescript/bin/tsc'), '--build']
  const plugins = readdirSync(join(root, 'plugins')).map((name) => `plugins/${name}`)
  const projects = development ? [] : ['core/cli', ...plugins]
  attempt('build', () => execFileSync(process.execPath, [...compiler, ...projects], { stdio: 'inherit', cwd: root }))
}

function attempt(name, work) {
  try {
    work()
  } catch (error) {
    fail(`${name} failed (exit ${error.status ?? error.code}): see the lines above`)
  }
}

function npm(...args) {
  const cli = process.env.npm_execpath
  const [program, ...first] = cli?.endsWith('.js') ? [process.execPath, cli] : ['npm']
  // onnxruntime-node would download CUDA's libraries; a user who has a GPU says so in the same variable.
  const env = { ONNXRUNTIME_NODE_INSTALL: 'skip', ...process.env }
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  execFileSync(program, [...first, ...args, ...quiet], { stdio: ['ignore', 2, 2], cwd: root, env })
}

function say(line) {
  process.stderr.write(`sallyport: ${line}\n`)
}

function fail(line) {
  say(line)
  process.exit(1)
}
