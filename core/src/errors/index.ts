export * from './error.js'
export * from './error-trace.js'
export * from './table.js'
export * from './system-code.js'
