import type { ParameterizedContext } from 'koa'
import type { Dialect } from '../dialects/dialect.js'
import type { ErrorContext } from '../dialects/errors.js'
import type { Exchange } from '../routes/exchange.js'
import type { Route } from '../routes/route.js'

/** What is known of a request on its way. */
export interface RequestState {
  requestId: string
  dialect: Dialect
  /** The row of the table that answers. */
  route?: Route
  exchange?: Exchange
  /** Whether the answer was an error, and which. */
  error?: unknown
}

export type RequestContext = ParameterizedContext<RequestState>

/** What a failure is told with. */
export const errorContextOf = ({ requestId, exchange }: RequestState): ErrorContext => ({
  requestId,
  wireField: exchange?.wireField,
})
