import { spanCheck } from '@sallyport/core'

/** Which links and bare addresses to hosts that are not listed are findings. */
export type Reported = 'none' | 'data' | 'any'

const reported = (what: string, ...others: readonly Reported[]) => ({
  enum: [...others, 'data', 'any'],
  default: 'data',
  description: `Which ${what} to hosts that are not listed are found: those that carry data, or any.`,
})

/** Images, links and addresses to hosts that are not on the operator's list. */
export const links = spanCheck('links', {
  stages: { output: 'Looks for images, links and addresses that lead to hosts that are not listed.' },
  order: 250,
  message: 'link to an unlisted host',
  methods: ['remove', 'category'],
  options: {
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
    links: reported('links'),
    addresses: reported('bare addresses', 'none'),
  },
})

/** Options of the check, as its schemas have them. */
export interface LinksOptions {
  readonly allow: readonly string[]
  readonly links: Reported
  readonly addresses: Reported
}

/** @param options those of the request; absent where the detector is called without a check */
export const optionsOf = (options: unknown): LinksOptions => ({
  allow: [],
  links: 'data',
  addresses: 'data',
  ...(options as Partial<LinksOptions>),
})
