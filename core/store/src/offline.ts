import type { Environment } from '@sallyport/kit/installation'

/** Whether the environment forbids the network; written as a hub's own clients read it. */
export const isOffline = (environment: Environment): boolean =>
  [environment.SALLYPORT_OFFLINE, environment.HF_HUB_OFFLINE].some(
    (value) => value !== undefined && !/^(0|no|false|off|)$/i.test(value.trim()),
  )
