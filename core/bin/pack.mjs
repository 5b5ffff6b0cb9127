/**
 * Packs packages of the repository, with those of it that they need, for a project outside:
 * `npm run pack -- <folder> cli koa`. What they are packed from must be built.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '../../..')
const manifests = new Map(
  ['core', 'plugins']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((workspace) => workspace !== 'core/bin')
    .map((workspace) => [workspace, JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))]),
)
const workspaceOf = new Map([...manifests].map(([workspace, { name }]) => [name, workspace]))

const [folder, ...names] = process.argv.slice(2)
const unknown = names.filter((name) => !workspaceOf.has(`@sallyport/${name}`))
if (folder === undefined || !names.length || unknown.length) {
  const known = [...workspaceOf.keys()].map((name) => name.replace('@sallyport/', ''))
  const wrong = unknown.length ? `there is no package ${unknown.join(', ')}; ` : ''
  console.error(`sallyport: ${wrong}usage: npm run pack -- <folder> <package> …, packages being ${known.join(', ')}`)
  process.exit(1)
}

const wanted = new Set()
const want = (name) => {
  const workspace = workspaceOf.get(name)
  if (workspace === undefined || wanted.has(workspace)) return
  wanted.add(workspace)
  const { dependencies = {}, peerDependencies = {} } = manifests.get(workspace)
  for (const other of Object.keys({ ...dependencies, ...peerDependencies })) want(other)
}
for (const name of names) want(`@sallyport/${name}`)

mkdirSync(folder, { recursive: true })
const workspaces = [...wanted].flatMap((workspace) => ['--workspace', workspace])
const options = { cwd: root, stdio: 'inherit' }
execFileSync('npm', ['pack', '--silent', '--pack-destination', resolve(folder), ...workspaces], options)
