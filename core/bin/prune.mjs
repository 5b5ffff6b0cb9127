/** Removes binaries that this machine cannot load from a folder of installed packages. */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The megabytes that were freed. */
export function prune(nodeModules, { platform, arch } = process) {
  const foreign = [
    ...foreignRuntimes(nodeModules, platform, arch),
    ...foreignBindings(nodeModules, arch),
    ...foreignTokenizers(nodeModules, platform, arch),
  ]
  const freed = foreign.map(sizeOf).reduce((sum, size) => sum + size, 0)
  for (const folder of foreign) rmSync(folder, { recursive: true, force: true })
  return Math.round(freed / 2 ** 20)
}

/** onnxruntime-node brings the libraries of all systems in folders `<platform>/<arch>`. */
function foreignRuntimes(nodeModules, platform, arch) {
  const binaries = join(nodeModules, 'onnxruntime-node/bin/napi-v6')
  return foldersOf(binaries).flatMap((system) => {
    const architectures = foldersOf(join(binaries, system)).map((name) => join(binaries, system, name))
    return system === platform ? architectures.filter((folder) => !folder.endsWith(arch)) : [join(binaries, system)]
  })
}

/** Packages `<system>-<arch>` of node-llama-cpp, which npm installs on several architectures of one system. */
function foreignBindings(nodeModules, arch) {
  const scope = join(nodeModules, '@node-llama-cpp')
  // Its name for 32-bit ARM is not Node's.
  const own = arch === 'arm' ? 'armv7l' : arch
  return foldersOf(scope)
    .filter((name) => name.split('-')[1] !== own)
    .map((name) => join(scope, name))
}

/** tokenizers brings a file `tokenizers.<system>-<arch>….node` for each system. */
function foreignTokenizers(nodeModules, platform, arch) {
  const folder = join(nodeModules, 'tokenizers')
  return foldersOf(folder)
    .filter((name) => name.endsWith('.node'))
    .filter((name) => ![arch, 'universal'].some((kind) => name.startsWith(`tokenizers.${platform}-${kind}`)))
    .map((name) => join(folder, name))
}

function foldersOf(folder) {
  return existsSync(folder) ? readdirSync(folder) : []
}

function sizeOf(path) {
  const stat = lstatSync(path)
  if (!stat.isDirectory()) return stat.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
