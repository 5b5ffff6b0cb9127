import { posix } from 'node:path'

/**
 * The locations that leave the model's folder: absolute ones, drives, and paths that climb out. Whether a file inside
 * the folder is a link to elsewhere is for the one who opens it.
 */
export const leavingFolder = (locations: readonly string[]): string[] =>
  locations.filter((location) => {
    const path = posix.normalize(location.replaceAll('\\', '/'))
    return !location || path.includes('\0') || path.startsWith('/') || /^[a-z]:/i.test(path) || climbs(path)
  })

const climbs = (path: string): boolean => path === '.' || path === '..' || path.startsWith('../')
