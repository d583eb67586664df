import { messageStates } from '../../src/messages/transitions.ts';
import type { World } from './world.ts';

/** What came of the messages of one world, for the account. */
export async function countResults({ agents, inner, truth, account }: World): Promise<void> {
  for (const { id, kind } of agents) {
    const query = { to: id, states: messageStates, limit: 100_000, includeDiscarded: true };
    const messages = await inner.read((tx) => tx.messages.list(query));
    account.note(kind.name, 'messages', messages.length);
    const givenUp = messages.filter(({ reason }) => reason === 'attempts_exhausted');
    account.note(kind.name, 'given up', givenUp.length);
    const landed = truth.landings.filter(({ agent }) => agent === id);
    const copies = landed.flatMap(({ entry }) => entry.copies);
    account.note(kind.name, 'marked repeats', copies.filter(({ isRepeat }) => isRepeat).length);
  }
}
