export * from './error.js'
export * from './table.js'
