export * from './error.js'
export * from './table.js'
export * from './system-code.js'
