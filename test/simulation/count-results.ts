import { signalbox } from '../../src/agents/agent.ts';
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
    const isReminder = ({ from, key = '' }: (typeof messages)[number]): boolean =>
      from === signalbox.id && key.startsWith('unread:');
    account.note(kind.name, 'named again', messages.filter(isReminder).length);
    await inner.read(async (tx) => {
      for (const { id: message } of messages) {
        const history = await tx.messages.history(message);
        const isUnconfirmed = history.some(({ code }) => code === 'unconfirmed');
        if (isUnconfirmed) account.note(kind.name, 'left unconfirmed');
        const attempts = await tx.claims.listAttempts(message);
        const isPasted = attempts.some(({ route }) => route === 'paste');
        if (isPasted && kind.ways.takesOver) account.note(kind.name, 'pasted instead');
      }
    });
    const landed = truth.landings.filter(({ agent }) => agent === id);
    const copies = landed.flatMap(({ entry }) => entry.copies);
    account.note(kind.name, 'marked repeats', copies.filter(({ isRepeat }) => isRepeat).length);
  }
}
