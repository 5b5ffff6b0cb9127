/**
 * Runs every test of the repository, or the files that it is given, tells the slowest ones, and closes with the line
 * `N passed, N failed, N skipped`. Mocha runs a few files of a package in a process, several processes side by side; one
 * that dies, or ends before its tests have, counts as a failure.
 */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** One more than there are processors, for many tests wait; no more than three, for some judge by time. */
const lanes = Math.min(3, availableParallelism() + 1)
/** More files would leave one lane idle at the end; fewer would spend the time on starts. */
const filesOfOneProcess = 12
/** Milliseconds without a sign after which a process hangs: more than the patience of any test. */
const silence = 20 * 60_000
/** Milliseconds from which on a test is among the slow ones. */
const slowFrom = 1000

const scratch = mkdtempSync(join(tmpdir(), 'sallyport-results-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
const running = new Set()

const results = []
let started = 0
const queue = inProcesses(process.argv.length > 2 ? process.argv.slice(2).map((file) => resolve(file)) : allFiles())
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    queue.length = 0
    for (const stop of running) stop(signal)
  })
await Promise.all(Array.from({ length: lanes }, work))
report()

async function work() {
  for (let files = queue.shift(); files; files = queue.shift()) results.push(...(await resultsOf(files)))
}

/** What crosses packages comes first: it takes longest, and what is short fills the lanes at the end. */
function allFiles() {
  const packages = ['plugins', 'core'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/dist/test`),
  )
  return ['test/dist', ...packages.filter((folder) => existsSync(join(root, folder)))].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => file.endsWith('.test.js'))
      .map((file) => join(root, folder, file))
      .sort(),
  )
}

function inProcesses(files) {
  const packages = new Map()
  for (const file of files) {
    const [name] = dirname(file).split(/\/dist\b/)
    packages.set(name, [...(packages.get(name) ?? []), file])
  }
  return [...packages.values()].flatMap((all) => {
    const parts = Math.ceil(all.length / filesOfOneProcess)
    return Array.from({ length: parts }, (_, part) => all.filter((_, index) => index % parts === part))
  })
}

/** Output and results lie in files: what a process wrote before it died is not lost. */
async function resultsOf(files) {
  const name = join(scratch, String((started += 1)))
  const paths = { output: `${name}.log`, results: `${name}.jsonl` }
  const end = await endOf(files, paths)
  process.stdout.write(readFileSync(paths.output))
  const lines = readIfThere(paths.results).split('\n').slice(0, -1)
  const found = lines.map((line) => JSON.parse(line))
  const finished = found.at(-1)?.kind === 'finished'
  const failed = found.some(({ kind }) => kind === 'failed')
  if (finished && (end === 'exit 0' || failed)) return found
  const title = `the process of ${files.map((file) => relative(root, file)).join(', ')}`
  const reason = finished ? `ended with ${end}` : `ended with ${end} before its tests were through`
  return [...found, { kind: 'failed', title, details: `  ${title} ${reason}: see its output above\n` }]
}

function endOf(files, paths) {
  const output = openSync(paths.output, 'w')
  const mocha = ['node_modules/mocha/bin/mocha.js', '--reporter', 'test/reporter.cjs', '--timeout', '120000', '--exit']
  const colours = process.stdout.isTTY ? ['--color'] : []
  const args = [...mocha, ...colours, '--reporter-option', `results=${paths.results}`, ...files]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', output, output] })
  closeSync(output)
  const stop = (signal) => child.kill(signal)
  running.add(stop)
  const watch = setInterval(() => {
    if (Date.now() - lastSign(paths) > silence) stop('SIGKILL')
  }, 10_000)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`))
  }).finally(() => {
    clearInterval(watch)
    running.delete(stop)
  })
}

function lastSign({ output, results }) {
  return Math.max(...[output, results].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0))
}

function readIfThere(path) {
  return statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8') : ''
}

function report() {
  const of = (wanted) => results.filter(({ kind }) => kind === wanted)
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(of)
  for (const { details } of failed) console.log(details)
  for (const { title, duration } of slowest()) console.log(`slow: ${(duration / 1000).toFixed(1)} s ${title}`)
  for (const { title } of skipped) console.log(`skipped: ${title}`)
  for (const { title } of failed) console.log(`failed: ${title}`)
  console.log(`${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`)
  process.exitCode = failed.length || !results.length ? 1 : 0
}

/** The ten tests that take longest. */
function slowest() {
  const slow = results.filter(({ duration = 0 }) => duration >= slowFrom)
  return slow.sort((one, other) => other.duration - one.duration).slice(0, 10)
}
