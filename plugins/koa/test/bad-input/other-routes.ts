/** Fields of the other routes. */

import { refused } from './case.js'
import type { Case } from './case.js'

const embed = (input: unknown) => ({ model: 'toolbox', input })

const anInput =
  'must be a non-empty string, a token id (an integer from 0 upwards), a non-empty array of them, or an object {text, image}'

export const otherRoutes: readonly Case[] = [
  refused(
    'an empty prompt',
    { model: 'speaker', prompt: '' },
    'prompt',
    'must be a non-empty string or an array of 1 to 128 non-empty strings',
    { path: '/completions' },
  ),
  refused(
    'a prompt of token ids',
    { model: 'speaker', prompt: [1, 2] },
    'prompt[0]',
    'must be a string that is not empty',
    { path: '/completions' },
  ),
  refused(
    'echo with log-probabilities',
    { model: 'speaker', prompt: 'x', echo: true, logprobs: 1 },
    'echo',
    'must not be true beside "logprobs": the log-probabilities of the prompt are not known',
    { path: '/completions' },
  ),
  refused(
    'no input',
    { model: 'toolbox', input: [] },
    'input',
    'must be a non-empty string, or a non-empty array of strings, of token ids (one input), of arrays of token ids, or of objects {text, image}; at most 16384 inputs',
    { path: '/embeddings' },
  ),
  refused('an empty input', { model: 'toolbox', input: [''] }, 'input[0]', anInput, { path: '/embeddings' }),
  ...[-1, 0.5].flatMap((id) => [
    refused(`an input of ${id}`, embed([5, id]), 'input[1]', anInput, { path: '/embeddings' }),
    refused(`a list with ${id}`, embed([[5, id]]), 'input[0][1]', 'must be an integer from 0 upwards', {
      path: '/embeddings',
    }),
  ]),
  refused(
    'an input of nothing',
    { model: 'toolbox', input: [{ text: '', image: null }] },
    'input[0]',
    'must have a text, an image, or both',
    { path: '/embeddings' },
  ),
  refused(
    'token ids among texts',
    { model: 'toolbox', input: ['a', 1] },
    'input',
    'must not mix token ids with other inputs',
    { path: '/embeddings' },
  ),
  refused(
    'two directions',
    { model: 'toolbox', input: 'a', truncation_direction: 'Left', truncate_direction: 'Right' },
    'truncate_direction',
    'must not differ from truncation_direction: give one of them',
    { path: '/embeddings' },
  ),
  refused(
    'no documents',
    { model: 'toolbox', query: 'a', documents: [] },
    'documents',
    'must be an array of 1 to 16384 strings or objects {text}',
    { path: '/rerank' },
  ),
]
