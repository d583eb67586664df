import type { AgentView } from '../../../src/protocol/agents.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Check } from '../life/check.ts';
import { must } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import { holdsAccount } from './account.ts';
import { settles } from './cases-usual.ts';
import { createWord, type Letter, Post } from './post.ts';

/** Two of the same CLI in one folder: a team as the README shows it. */
export const neighbours: Check = {
  name: 'two-in-one-folder',
  promise:
    'two agents of the same CLI in one folder: before the first message of each and while both are busy, each gets its own, once',
  run: async (life) => {
    const hands = await life.launchBeside('beside');
    try {
      await waitUntil('the other at rest', () => isReady(life), patienceMs);
      const here = new Post(life);
      const there = new Post(life, 'beside');
      const first = await Promise.all([here.send(), there.send()]);
      await here.isSeen(first[0]);
      await there.isSeen(first[1]);
      await settles(life);
      await waitUntil('the other at rest', () => isReady(life), patienceMs);
      const busy = [createWord(), createWord()] as const;
      await life.hands.submit(`@@sleep 8 @@say ${busy[0]}`);
      await hands.submit(`@@sleep 8 @@say ${busy[1]}`);
      for (const word of busy) {
        await life.mock.waitFor(({ lastUserText }) => lastUserText.includes(word), patienceMs);
      }
      const second = await Promise.all([here.send(), there.send()]);
      await here.isSeen(second[0]);
      await there.isSeen(second[1]);
      await holdsAccount(here, [first[0], second[0]]);
      await holdsAccount(there, [first[1], second[1]]);
      areApart(life, [first[0], second[0]], [first[1], second[1]]);
      await settles(life);
      return undefined;
    } finally {
      await life.box.ask(['rm', 'beside']);
    }
  },
};

async function isReady(life: Life): Promise<boolean> {
  const { status, composer } = await life.box.ask<AgentView>(['status', 'beside']);
  return (status === 'idle' || status === 'completed') && composer === 'empty';
}

function areApart(life: Life, ours: readonly Letter[], theirs: readonly Letter[]): void {
  const isIn = (body: string, letters: readonly Letter[]): boolean =>
    letters.some(({ word }) => body.includes(word));
  const mixed = life.mock.requests.filter(({ body }) => isIn(body, ours) && isIn(body, theirs));
  must(mixed.length === 0, 'one of them got what was sent to the other');
}
