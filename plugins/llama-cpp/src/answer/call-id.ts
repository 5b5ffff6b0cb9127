import { randomBytes } from 'node:crypto'

/** An id as OpenAI's servers give calls. */
export const newCallId = (): string => `call_${randomBytes(12).toString('hex')}`
