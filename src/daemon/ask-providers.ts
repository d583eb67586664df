import type { Provider } from '../providers/provider.ts';
import { reportBug } from '../shared/report-bug.ts';

interface Shelf {
  find(name: string): Promise<Provider>;
}

/** What others ask about a provider by its name, answered from its data. */
export function askProviders(shelf: Shelf) {
  const capabilitiesOf = (name: string) =>
    shelf.find(name).then(({ capabilities }) => capabilities, notDescribed);
  return {
    forgetsCalls: async (name: string) => (await capabilitiesOf(name))?.forgetsCalls === true,
    routesOf: async (name: string) => (await capabilitiesOf(name))?.routes,
    toolCallMsOf: async (name: string) => (await capabilitiesOf(name))?.toolCallMs,
    isWokenOf: async (name: string) => {
      const { routes = [], pastes } = (await capabilitiesOf(name)) ?? {};
      return routes.includes('native') || (routes.includes('paste') && pastes !== 'notice');
    },
  };
}

/** A provider that config.yaml describes no longer, of an agent that still runs. */
function notDescribed(error: unknown): undefined {
  reportBug("finding an agent's provider", error);
}
