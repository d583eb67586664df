import { callName } from '../../agents/reference.ts';
import { inLine } from '../output.ts';
import type { LookUp, Offer } from './complete.ts';

/**
 * Names for the command line of a person. A TAB only looks: it makes no ledger, starts no daemon,
 * and is no call of an agent that could show what that has read (rule 17).
 */
export const lookUp: LookUp = async (source) => {
  try {
    return (await sources[source]()).map(({ word, about }) => ({
      word,
      about: toLine(about),
    }));
  } catch {
    // Whatever is wrong, a TAB is no place to say it: the command itself will.
    return [];
  }
};

const sources: Readonly<Record<Parameters<LookUp>[0], () => Promise<readonly Offer[]>>> = {
  agents: async () =>
    (await listAgents()).map((agent) => ({
      word: callName(agent),
      about: agent.provider === 'none' ? agent.session : `${agent.session}, ${agent.provider}`,
    })),
  sessions: async () =>
    [...new Set((await listAgents()).map(({ session }) => session))].map((word) => ({
      word,
      about: '',
    })),
  providers: async () => {
    const { findFolders } = await import('../../config/folders.ts');
    const { openProviderShelf } = await import('../../providers/registry.ts');
    const { names } = openProviderShelf(findFolders(process.env));
    return names.map((word) => ({ word, about: 'provider' }));
  },
  profiles: async () => {
    const { openProfiles } = await import('../../client/direct/profiles.ts');
    const profiles = await (await openProfiles(process.env, process.cwd())).list();
    return profiles.map(({ name }) => ({ word: name, about: 'profile' }));
  },
};

async function listAgents() {
  const { listNames } = await import('../../client/direct/list-names.ts');
  return listNames(process.env);
}

/** Shells print it as it is: one line, without tabs, and nothing that a terminal reads. */
function toLine(text: string): string {
  return inLine(text).replaceAll('\t', ' ');
}
