/** Fields of the other routes. */

import { field } from './case.js'
import type { Case } from './case.js'

const embed = (input: unknown) => ({ model: 'toolbox', input })

const anInput =
  'must be a non-empty string, a token id (an integer from 0 upwards), a non-empty array of them, or an object {text, image}'

export const otherRoutes: readonly Case[] = [
  {
    what: 'an empty prompt',
    path: '/completions',
    body: { model: 'speaker', prompt: '' },
    ...field('prompt', 'must be a non-empty string or an array of 1 to 128 non-empty strings'),
  },
  {
    what: 'a prompt of token ids',
    path: '/completions',
    body: { model: 'speaker', prompt: [1, 2] },
    ...field('prompt[0]', 'must be a string that is not empty'),
  },
  {
    what: 'echo with log-probabilities',
    path: '/completions',
    body: { model: 'speaker', prompt: 'x', echo: true, logprobs: 1 },
    ...field('echo', 'must not be true beside "logprobs": the log-probabilities of the prompt are not known'),
  },
  {
    what: 'no input',
    path: '/embeddings',
    body: { model: 'toolbox', input: [] },
    ...field(
      'input',
      'must be a non-empty string, or a non-empty array of strings, of token ids (one input), of arrays of token ids, or of objects {text, image}; at most 16384 inputs',
    ),
  },
  {
    what: 'an empty input',
    path: '/embeddings',
    body: { model: 'toolbox', input: [''] },
    ...field('input[0]', anInput),
  },
  ...[-1, 0.5].flatMap((id) => [
    { what: `an input of ${id}`, path: '/embeddings', body: embed([5, id]), ...field('input[1]', anInput) },
    {
      what: `a list with ${id}`,
      path: '/embeddings',
      body: embed([[5, id]]),
      ...field('input[0][1]', 'must be an integer from 0 upwards'),
    },
  ]),
  {
    what: 'an input of nothing',
    path: '/embeddings',
    body: { model: 'toolbox', input: [{ text: '', image: null }] },
    ...field('input[0]', 'must have a text, an image, or both'),
  },
  {
    what: 'token ids among texts',
    path: '/embeddings',
    body: { model: 'toolbox', input: ['a', 1] },
    ...field('input', 'must not mix token ids with other inputs'),
  },
  {
    what: 'two directions',
    path: '/embeddings',
    body: { model: 'toolbox', input: 'a', truncation_direction: 'Left', truncate_direction: 'Right' },
    ...field('truncate_direction', 'must not differ from truncation_direction: give one of them'),
  },
  {
    what: 'no documents',
    path: '/rerank',
    body: { model: 'toolbox', query: 'a', documents: [] },
    ...field('documents', 'must be an array of 1 to 16384 strings or objects {text}'),
  },
]
