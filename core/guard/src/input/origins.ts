/** Where a text of a request comes from, as its declaration says it. */

import type { MethodDeclaration, Origin } from '@sallyport/core'
import { speakerAt } from './turns.js'
import type { Steps } from '../fields/walk.js'

export const originOf = (declaration: MethodDeclaration, request: unknown, path: Steps): Origin | undefined =>
  named(declaration.turns?.origins, speakerAt(declaration, request, path)) ?? named(declaration.origins, path[0])

const named = (origins: MethodDeclaration['origins'] = {}, name: unknown): Origin | undefined =>
  typeof name === 'string' && Object.hasOwn(origins, name) ? origins[name] : undefined
