import type { Exchange } from './exchange.js'

/** Unix seconds as listings write them: some clients only read text, and the server is told so. */
export const listingDate = (seconds: number, { context: { dialect, options } }: Exchange): number | string =>
  dialect.name === 'specification' && options.listing_dates === 'rfc3339'
    ? new Date(seconds * 1000).toISOString()
    : seconds
