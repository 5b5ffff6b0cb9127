/** The adapter's options: the section `server` of a configuration, or the second argument of `createApp`. */

import type { OptionsSchema, OptionsOf } from '@sallyport/core'
import { compileOptions } from '@sallyport/kit/schemas'
import { outboundHostPattern, outboundHostTitle, portPattern } from '@sallyport/outbound'
import { quotasSchema } from './quotas/quota.js'

const integer = (value: number, minimum: number, description: string) => ({
  type: 'integer' as const,
  default: value,
  minimum,
  description,
})

const seconds = (value: number, description: string) => ({
  type: 'number' as const,
  default: value,
  exclusiveMinimum: 0,
  description,
})

const section = <const Properties>(properties: Properties) => ({
  type: 'object' as const,
  additionalProperties: false as const,
  default: {},
  properties,
})

/** Matches addresses that only this machine can reach. */
const loopback = '^(?:localhost|127(?:\\.\\d{1,3}){3}|\\[?::1\\]?)$'

/** Matches origins as browsers send them; applications may have schemes of their own. */
const originPattern = `^(?:\\*|[A-Za-z][A-Za-z\\d+.-]*://(?:\\[[\\da-fA-F:.]+\\]|[^\\s/@:?#*\\[\\]\\\\]+)(?::${portPattern})?)$`

export const serverSchema = {
  type: 'object',
  additionalProperties: false,
  if: { properties: { auth: { const: false } }, required: ['auth'] },
  then: {
    properties: {
      host: { type: 'string', pattern: loopback, title: 'a loopback address, such as 127.0.0.1, where auth is false' },
      // With "*", any page that is open in a browser on this machine could use the server.
      cors: {
        properties: {
          origins: {
            items: {
              type: 'string',
              pattern: '^[^*]',
              title: 'an origin such as http://localhost:3000, and not *, where auth is false',
            },
          },
        },
      },
    },
  },
  properties: {
    host: { type: 'string', default: '127.0.0.1', minLength: 1, description: 'address to listen on' },
    port: { ...integer(8080, 0, 'port to listen on; 0 takes a free one'), maximum: 65_535 },
    auth: { type: 'boolean', default: true, description: 'whether requests need a key; false only on a loopback host' },
    allowedHosts: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: ['localhost', '127.0.0.1', '[::1]'],
      description:
        'without authentication: host names that requests may be addressed to, because web pages reach for local servers; * allows all',
    },
    cors: section({
      origins: {
        type: 'array',
        items: {
          type: 'string',
          pattern: originPattern,
          title:
            'an origin such as https://app.example.com or http://localhost:3000, without a path, or * for every one',
        },
        default: [],
        description: 'web pages, by origin, that may read what the server answers; * for every one; absent: none',
      },
    }),
    // The specification names this option alone, and spells it with an underscore.
    listing_dates: {
      type: 'string',
      enum: ['unix', 'rfc3339'],
      default: 'unix',
      description: 'how created is written in listings outside /v1',
    },
    completions: {
      ...section({
        maxTokens: integer(256, 1, 'default max_tokens outside /v1'),
        v1MaxTokens: integer(16, 1, 'default max_tokens under /v1, as with OpenAI'),
      }),
      description: 'defaults of max_tokens for text completions',
    },
    limits: section({
      body: integer(4 * 1024 * 1024, 1024, 'bytes of a JSON body'),
      bodies: integer(
        256 * 1024 * 1024,
        1024,
        'bytes of the bodies of all requests that are read, wait or run, and of the fields of forms; further ones get 429; with authentication, one key may hold at most seven eighths of them',
      ),
      upload: integer(512 * 1024 * 1024, 1024, 'bytes of an uploaded file'),
      uploads: integer(
        4 * 1024 * 1024 * 1024,
        1024,
        'bytes on disk of the files of all requests; further ones get 429; with authentication, one key may hold at most seven eighths of them',
      ),
      concurrency: integer(256, 1, 'requests that run at the same time'),
      queue: integer(1024, 0, 'requests that wait for their turn; further ones get 429'),
      wait: seconds(30, 'seconds that a request waits for its turn at most'),
      perKey: {
        type: 'integer',
        minimum: 0,
        description:
          'running requests of one key; 0: no limit per key; absent: with authentication, seven eighths of concurrency',
      },
      wrongKeys: integer(
        10,
        0,
        'wrong keys per minute from one address; further ones get 429, right ones still work; 0: no limit',
      ),
      connections: integer(4096, 1, 'open connections; further ones are closed'),
      connectionsPerAddress: integer(0, 0, 'open connections of one address; 0: no limit per address'),
      choices: integer(16, 1, 'largest n'),
      prompts: integer(128, 1, 'longest array of prompts'),
      inputs: integer(16_384, 1, 'longest array of texts to embed, rank or check'),
      images: integer(16, 0, 'images in one request'),
    }),
    quotas: quotasSchema,
    audit: {
      type: 'object',
      additionalProperties: false,
      description: 'records every request in a log whose lines are chained and signed; absent: none',
      properties: {
        path: {
          type: 'string',
          default: './audit',
          minLength: 1,
          description: 'directory of the log, relative to the directory of the configuration file',
        },
        rotate: section({
          bytes: {
            ...integer(64 * 1024 * 1024, 1024, 'bytes from which on a file is followed by another one'),
            maximum: 1024 * 1024 * 1024,
          },
          keep: integer(0, 0, 'files that stay, the one that is written included; 0: all'),
        }),
        sync: {
          type: 'boolean',
          default: false,
          description:
            'whether requests wait until the disk has their lines, and get 503 where it takes none; false: lost lines are counted',
        },
      },
    },
    metrics: {
      type: 'string',
      enum: ['key', 'open'],
      default: 'key',
      description: 'who may read /metrics, where a plugin collects metrics: key: requests with a key; open: every one',
    },
    uploadDirectory: {
      type: 'string',
      minLength: 1,
      description:
        'directory for uploaded files while their request runs; relative to the directory of the configuration file; absent: the system’s temporary directory',
    },
    policies: {
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1 },
      default: {},
      description:
        'policies that hold for a route, such as /chat/completions, beside those of models and keys; under /v1, too',
    },
    responses: section({
      steps: integer(16, 1, 'how often a model is asked for one response, where it calls tools'),
      seconds: { ...seconds(120, 'seconds for one response that uses remote tools'), maximum: 86_400 },
      toolSeconds: { ...seconds(30, 'seconds for one remote tool call'), maximum: 86_400 },
      store: {
        type: 'object',
        additionalProperties: false,
        required: ['path'],
        description: 'stores responses, so that later requests can continue them; absent: none are stored',
        properties: {
          path: {
            type: 'string',
            minLength: 1,
            description: 'file of the database, relative to the directory of the configuration file',
          },
          expireAfter: seconds(30 * 24 * 3600, 'seconds after which a stored response expires'),
          bytes: integer(
            1024 * 1024 * 1024,
            1024 * 1024,
            'bytes of all stored responses; the oldest are deleted first; with authentication, one key may hold at most seven eighths of them',
          ),
        },
      },
    }),
    fetch: section({
      images: {
        type: 'boolean',
        default: false,
        description: 'whether images may be http(s) URLs, which the server then fetches',
      },
      hosts: {
        type: 'array',
        items: { type: 'string', pattern: outboundHostPattern, title: outboundHostTitle },
        default: ['*'],
        description:
          'hosts to fetch from, on 443 (https) and 80 (http) unless a port follows; :* is every port; *.example.com: the hosts below it; *: every host',
      },
      privateAddresses: {
        type: 'boolean',
        default: false,
        description: 'whether hosts may be in private networks or on this machine',
      },
      bytes: integer(8 * 1024 * 1024, 1024, 'bytes of one image; they count towards limits.bodies'),
      seconds: seconds(10, 'seconds for all images of one request'),
    }),
    timeouts: section({
      headers: seconds(5, 'seconds for the head of a request to arrive'),
      body: seconds(10, 'seconds for a JSON body to arrive; also the longest pause within an upload'),
      request: seconds(300, 'seconds for a whole request to arrive'),
      keepAlive: seconds(65, 'seconds that an idle connection is kept'),
      slowReader: seconds(30, 'seconds that a client may read nothing of an answer'),
      comment: seconds(15, 'seconds between keep-alive comments in streams under /v1'),
    }),
  },
} as const satisfies OptionsSchema

export type ServerOptions = OptionsOf<typeof serverSchema>

export type Limits = ServerOptions['limits']

type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> }
    : T

/** Options as a program passes them: every part is optional. */
export type ServerOptionsInput = DeepPartial<ServerOptions>

/** Fills in the defaults. @throws config_invalid for options that the schema refuses */
export const completeOptions = (input: ServerOptionsInput): ServerOptions =>
  compileOptions(serverSchema)(input, { path: [], where: () => 'options of @sallyport/koa' })
