/** Fields of what was skimmed; of other types than they should have, they are as absent. */

import type { Skimmed } from './skim.js'

export const string = (message: Skimmed, field: string): string => {
  const value = message[field]
  return typeof value === 'string' ? value : ''
}

export const number = (message: Skimmed, field: string): number => {
  const value = message[field]
  return typeof value === 'number' ? value : 0
}

export const child = (message: Skimmed | undefined, field: string): Skimmed | undefined => {
  const value = message?.[field]
  return typeof value === 'object' && !Array.isArray(value) ? value : undefined
}

export const children = (message: Skimmed | undefined, field: string): Skimmed[] => {
  const value = message?.[field]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object') : []
}

export const strings = (message: Skimmed | undefined, field: string): string[] => {
  const value = message?.[field]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
