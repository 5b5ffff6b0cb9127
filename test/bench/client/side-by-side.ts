import type { ChatClient, ChatPrompt } from './chat-client.js'
import type { StreamTiming } from './stream-timing.js'

/** One answer per prompt, all asked for at the same moment. */
export const askSideBySide = (
  client: ChatClient,
  prompts: readonly ChatPrompt[],
  maxTokens: number,
): Promise<StreamTiming[]> => Promise.all(prompts.map((prompt) => client.ask({ prompt, maxTokens })))
