/** Loggers around loggers. */

export { discreetLogger } from './discreet-logger.js'
export { forwardingLogger } from './forwarding-logger.js'
