import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MessageView } from '../../src/protocol/messages.ts';
import { openPerson } from '../support/person.ts';
import { sweepList } from '../support/sweep.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

/** What the user was told of the turn that held this message. */
async function findTold(station: Station, id: string): Promise<readonly MessageView[]> {
  const states = ['queued', 'superseded', 'dead'] as const;
  const { messages } = await station.list('user', states);
  return messages.filter(({ replyTo }) => replyTo?.includes(id));
}

async function sendAsUser(station: Station, body: string): Promise<string> {
  const person = await openPerson(station.home);
  const { screen, code } = await person.type(['send', 'worker', body, '--json']);
  expect([code, screen]).toEqual([0, expect.stringMatching(/"standing":"prompt"/)]);
  return /msg_\w+/.exec(screen)?.[0] ?? '';
}

describe.runIf(hasTmux)('rule 51e: the end of the turn that held a prompt', () => {
  test('is told to the user once, with its last words', async () => {
    const station = await openStation({ hasTools: true });
    await station.launch('worker');
    const id = await sendAsUser(station, '@@say the last words');
    await waitUntil('the word of it', async () => (await findTold(station, id)).length > 0);
    await station.untilStatus('worker', 'completed');
    const told = await findTold(station, id);
    expect(told.map(({ kind, body, state }) => [kind, body, state])).toEqual([
      ['completion', 'the last words', 'queued'],
    ]);
  });

  test.each(sweepList(['turn.heard', 'turn.kept']))(
    'is told once also if the daemon is killed at %s and another one takes over',
    async (place) => {
      const station = await openStation({ hasTools: true });
      const held = join(station.home, 'held');
      mkdirSync(held);
      const env = { SIGNALBOX_FAILPOINTS: `${place}=hold`, SIGNALBOX_FAILPOINT_DIR: held };
      await station.run(['up'], { env });
      await station.launch('worker');
      const id = await sendAsUser(station, '@@say the last words');
      await waitUntil('the end of the turn', () => readdirSync(held).length > 0, 120_000);
      await station.killDaemon();
      await station.run(['up']);
      await waitUntil('the word of it', async () => (await findTold(station, id)).length > 0);
      // A later turn finds nothing of it left to tell.
      const next = await sendAsUser(station, '@@say more');
      await waitUntil('the next word', async () => (await findTold(station, next)).length > 0);
      const told = await findTold(station, id);
      expect(told.map(({ kind, body }) => [kind, body])).toEqual([
        ['completion', 'the last words'],
      ]);
    },
  );
});
