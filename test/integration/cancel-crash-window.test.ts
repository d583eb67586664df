import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Agent, userAgentId } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import { commit, pack } from '../../src/delivery/deliver.ts';
import { createEvidenceMemory } from '../../src/delivery/evidence-memory.ts';
import { followEvidence } from '../../src/delivery/follow-evidence.ts';
import { withdrawOrRelease } from '../../src/delivery/withdraw.ts';
import { add } from '../../src/fleet/add.ts';
import { beginEpoch } from '../../src/fleet/epochs.ts';
import type { Evidence } from '../../src/providers/way-in.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { openSqliteLedger } from '../../src/store/sqlite/open.ts';
import { waitForEnd } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';
import { openParts, recipientOf } from './fixtures/give-back.ts';

const clock = systemClock;

/** A task that a CLI keeps in a queue of its own, which is a file. */
async function held() {
  const home = tempHome();
  const [path, queue] = [join(home, 'ledger.db'), join(home, 'queue')];
  const ledger = await openSqliteLedger(path, { clock, lockWaitMs: 10_000 });
  onTestFinished(() => ledger.close());
  const draft = { session: 'default', notify: false, cwd: home, name: 'worker' };
  const { id: agent } = await add(ledger, clock, draft);
  await ledger.write((tx) => beginEpoch(tx, agent));
  const task = { kind: 'task', from: userAgentId, to: agent, body: 'Do it' } as const;
  const [accepted] = await accept(ledger, clock, [task]);
  if (accepted?.outcome !== 'accepted') throw new Error('not accepted');
  const { id } = accepted.message;
  const parts = openParts(ledger);
  const evidence: Evidence = {
    judge: async (attempts) =>
      attempts.map(() => ({ found: existsSync(queue) ? 'held' : 'absent', evidence: 'its queue' })),
    close: () => undefined,
  };
  const recipient = recipientOf(agent, { evidence });
  const parcel = await pack(parts, recipient, { route: 'native' });
  if (!parcel) throw new Error('nothing to pack');
  writeFileSync(queue, parcel.text);
  await commit(parts, parcel, 'in');
  const take = async (failPoint?: string) => {
    const args = ['test/integration/fixtures/give-back.ts', path, agent, id, queue];
    const env = {
      ...process.env,
      ...(failPoint === undefined ? {} : { SIGNALBOX_FAILPOINTS: `${failPoint}=kill` }),
    };
    const child = spawn(process.execPath, ['--import', 'tsx', ...args], { env, stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return waitForEnd(child);
  };
  const find = async () => {
    const found = await ledger.read((tx) => tx.messages.find(id));
    const debt = await ledger.read((tx) => tx.debts.find(id));
    const [attempt] = await ledger.read((tx) => tx.claims.listAttempts(id));
    return { state: found?.state, reason: found?.reason, end: debt?.end, tried: attempt?.outcome };
  };
  return { ledger, parts, recipient, queue, id, take, find };
}

test('rules 2, 34: killed behind the word of the CLI that a message is out of its queue, it is queued once more, and can be taken back there', async () => {
  const { ledger, parts, recipient, queue, id, take, find } = await held();
  const killed = await take('cancel.given-back');
  expect([killed.code, killed.stdout, existsSync(queue)]).toEqual([null, '', false]);
  // As if nobody had asked: neither the message nor its debt has ended.
  expect(await find()).toMatchObject({ state: 'injected', end: undefined });
  const memory = createEvidenceMemory();
  for (let looks = 0; looks < 3 && (await find()).state === 'injected'; looks++) {
    await followEvidence(parts, recipient, memory);
  }
  expect(await find()).toMatchObject({ state: 'queued', end: undefined, tried: 'not-landed' });
  const user = (await ledger.read((tx) => tx.agents.find(userAgentId))) as Agent;
  const done = await ledger.write((tx) => withdrawOrRelease(tx, clock.now(), id, user));
  expect(done).toEqual({ outcome: 'withdrawn', mayHaveBeenRead: false });
  expect(await find()).toMatchObject({ state: 'dead', reason: 'withdrawn', end: 'withdrawn' });
});

test('rule 34: not killed there, the message and its debt end together', async () => {
  const { take, find, queue } = await held();
  const ended = await take();
  expect([ended.stderr, ended.stdout, existsSync(queue)]).toEqual(['', 'true', false]);
  expect(await find()).toEqual({
    ...{ state: 'dead', reason: 'withdrawn', end: 'withdrawn', tried: 'not-landed' },
  });
});
