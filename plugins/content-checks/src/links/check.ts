import { spanCheck } from '@sallyport/core'
import type { OptionsOf } from '@sallyport/core'

const reportedOption = <Other extends string = never>(what: string, ...others: readonly Other[]) =>
  ({
    enum: [...others, 'data', 'any'],
    default: 'data',
    description: `Which ${what} to hosts that are not listed are found: those that carry data, or any.`,
  }) as const

const options = {
  allow: {
    type: 'array',
    items: {
      type: 'string',
      pattern: String.raw`^(?:\*\.)?[^\s/*@]+$`,
      title: 'a host such as example.com, *.example.com or example.com:8443',
    },
    default: [],
    description: 'Hosts that may be linked and loaded from: example.com, *.example.com, example.com:8443.',
  },
  links: reportedOption('links'),
  addresses: reportedOption('bare addresses', 'none'),
} as const

/** The check's own options. */
export type LinksOptions = OptionsOf<{ type: 'object'; properties: typeof options }>

/** Which links and bare addresses to hosts that are not listed are findings. */
export type Reported = LinksOptions['addresses']

/** Images, links and addresses to hosts that are not on the operator's list. */
export const links = spanCheck('links', {
  stages: { output: 'Looks for images, links and addresses that lead to hosts that are not listed.' },
  order: 250,
  message: 'link to an unlisted host',
  methods: ['remove', 'category'],
  options,
})

/** @param given the options of the request; absent where the detector is called without a check */
export const optionsOf = (given: unknown): LinksOptions => ({
  allow: [],
  links: 'data',
  addresses: 'data',
  ...(given as Partial<LinksOptions>),
})
