import { ChatClient } from '../client/chat-client.js'
import { shortPrompt } from '../prompts.js'
import type { Contender, ContenderName, ServerSettings } from './contender.js'
import { whileRunning } from './launch.js'
import type { RunningServer } from './launch.js'

/** A contender that runs, with the settings that it runs with. */
export interface Entrant {
  readonly name: ContenderName
  readonly threads: number
  readonly server: RunningServer
  readonly client: ChatClient
  stop(): Promise<void>
}

/** Starts the server and has it answer once, so that what happens at the first request is over. */
export const enter = async (contender: Contender, settings: ServerSettings): Promise<Entrant> => {
  const server = await contender.start(settings)
  const client = new ChatClient(server.url, settings.model.id)
  try {
    await whileRunning([server], () => client.ask({ prompt: shortPrompt(), maxTokens: 2 }))
  } catch (error) {
    await server.stop()
    throw error
  }
  return { name: contender.name, threads: settings.threads, server, client, stop: () => server.stop() }
}

/** Runs the work while the entrants run: one per contender and settings. */
export const withEntrants = async <Result>(
  contenders: readonly Contender[],
  settings: readonly ServerSettings[],
  work: (entrants: readonly Entrant[]) => Promise<Result>,
): Promise<Result> => {
  const entrants: Entrant[] = []
  try {
    for (const contender of contenders) for (const setting of settings) entrants.push(await enter(contender, setting))
    const servers = entrants.map(({ server }) => server)
    return await whileRunning(servers, () => work(entrants))
  } finally {
    await Promise.all(entrants.map((entrant) => entrant.stop()))
  }
}
