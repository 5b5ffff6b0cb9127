import { join } from 'node:path'
import { temporaryDirectories } from '@sallyport/stand-ins/files'
import { HubStandIn } from '@sallyport/stand-ins/hub'
import { ModelStore } from '../../src/store.js'
import type { StoreOptions } from '../../src/store-options.js'

/** A hub, a project and a cache of its own for each test. */
export const useHub = () => {
  const temporary = temporaryDirectories()
  const fixture = {
    hub: new HubStandIn(),
    directory: '',
    home: '',
    storeWith: (environment: Readonly<Record<string, string>> = {}, options: StoreOptions = {}) =>
      new ModelStore({
        home: fixture.home,
        baseDirectory: fixture.directory,
        environment: { HF_ENDPOINT: fixture.hub.origin, ...environment },
        retryDelay: 1,
        ...options,
      }),
  }
  beforeEach(async () => {
    fixture.hub = await new HubStandIn().start()
    fixture.directory = await temporary()
    fixture.home = join(fixture.directory, 'home')
  })
  afterEach(() => fixture.hub.stop())
  return fixture
}
