import { expect } from 'vitest';
import type { Epoch } from '../../src/agents/epoch.ts';
import { readOwed } from '../../src/client/hook/read-owed.ts';
import { loseSight, recordInjected } from '../../src/delivery/claim.ts';
import { nothingOnRecord, type OnRecord } from '../../src/delivery/on-record.ts';
import { beginEpoch } from '../../src/fleet/epochs.ts';
import { lateRecordsMs, readUntilTold } from '../../src/fleet/read-until-told.ts';
import type { Finding } from '../../src/providers/way-in.ts';
import { contract, type World } from './world.ts';

/** A task that was pasted, and of which nobody saw whether its Enter was taken. */
async function give(world: World) {
  const child = await world.add('worker');
  await world.ledger.write((tx) => beginEpoch(tx, child.id));
  await world.send(child, { kind: 'task' });
  const { claim } = await world.take(child, 'paste', { epoch: 1 });
  await world.ledger.write((tx) => tx.claims.note(claim.token, { step: 'entered' }));
  const inIt: OnRecord = { in: new Set([claim.token]), out: new Set() };
  const outOfIt: OnRecord = { in: new Set(), out: new Set([claim.token]) };
  return { child, claim, inIt, outOfIt };
}

async function lose(world: World, { claim }: Awaited<ReturnType<typeof give>>): Promise<void> {
  const why = { code: 'lost-sight', cause: 'Enter did not send what was pasted' } as const;
  await world.ledger.write((tx) => loseSight(tx, world.clock.now(), claim, why));
}

/** What the records say, look after look; the last answer lasts. */
async function ask(
  { ledger, clock }: World,
  agent: string,
  answers: readonly OnRecord[],
  among?: readonly number[],
) {
  let looks = 0;
  const startedAt = clock.monotonicMs();
  const read = async (): Promise<OnRecord> => answers[looks++] ?? answers.at(-1) ?? nothingOnRecord;
  const given = { ledger, clock, agent, among, read };
  const told = await readUntilTold(given, new AbortController().signal);
  return { told, looks, tookMs: clock.monotonicMs() - startedAt };
}

contract('records that are late at the end of a turn', (check) => {
  check(
    'rules 30, 41: what the records do not tell yet of a task whose Enter nobody saw taken is waited for',
    async (world) => {
      const given = await give(world);
      await lose(world, given);
      const answers = [nothingOnRecord, nothingOnRecord, given.inIt];
      const { told, looks } = await ask(world, given.child.id, answers);
      expect(told).toBe(given.inIt);
      expect(looks).toBe(3);
    },
  );

  check(
    'rules 30, 41: a hook that writes the end down itself waits for them, too',
    async (world) => {
      const given = await give(world);
      await lose(world, given);
      const epoch = { agent: given.child.id, epoch: 1, startedAt: 0 } as Epoch;
      let looks = 0;
      const judge = async (attempts: readonly unknown[]): Promise<readonly Finding[]> => {
        const found = ++looks < 3 ? 'unknown' : 'landed';
        return attempts.map(() => ({ found, evidence: 'a record' }) as Finding);
      };
      const provider = { openEvidence: () => ({ judge, close: () => undefined }) };
      const place = { conversation: 's1', cwd: '/', env: {} };
      const told = await readOwed(world, provider, epoch, place);
      expect([looks, [...told.in]]).toEqual([3, [given.claim.token]]);
    },
  );

  check('rule 41: it is waited for 3 s at most', async (world) => {
    const given = await give(world);
    await lose(world, given);
    const { told, tookMs } = await ask(world, given.child.id, [nothingOnRecord]);
    expect(told).toBe(nothingOnRecord);
    expect(tookMs).toBe(lateRecordsMs);
  });

  check(
    'rules 12, 20: nothing is waited for where the records tell, where Enter was not pressed, or what came later',
    async (world) => {
      const given = await give(world);
      const { child, outOfIt, claim } = given;
      await lose(world, given);
      expect(await ask(world, child.id, [outOfIt])).toEqual(atOnce(outOfIt));
      expect(await ask(world, child.id, [nothingOnRecord], [])).toEqual(atOnce(nothingOnRecord));
      const among = await ask(world, child.id, [nothingOnRecord], [claim.token]);
      expect(among.tookMs).toBe(lateRecordsMs);
      await world.ledger.write((tx) => tx.claims.note(claim.token, { step: 'pasted' }));
      expect(await ask(world, child.id, [nothingOnRecord])).toEqual(atOnce(nothingOnRecord));
    },
  );

  check(
    'rule 20: a task that is known to be in costs the end of its turn no wait',
    async (world) => {
      const { child, claim } = await give(world);
      await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
      expect(await ask(world, child.id, [nothingOnRecord])).toEqual(atOnce(nothingOnRecord));
    },
  );
});

function atOnce(told: OnRecord) {
  return { told, looks: 1, tookMs: 0 };
}
