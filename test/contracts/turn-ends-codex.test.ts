import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { recordInjected } from '../../src/delivery/claim.ts';
import { endTurn } from '../../src/fleet/end-turn.ts';
import { TurnEnds } from '../../src/providers/codex/turn-ends.ts';
import type { AgentContext } from '../../src/providers/provider.ts';
import type { TurnNews } from '../../src/providers/way-in.ts';
import { contract, user, type World } from './world.ts';

function codex() {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-codex-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const told: TurnNews[] = [];
  const context = { env: { CODEX_HOME: home }, startedAt: 0 } as unknown as AgentContext;
  const ends = new TurnEnds(context, (end) => told.push(end));
  onTestFinished(() => ends.close());
  const end = (): Promise<TurnNews> =>
    new Promise((done) => {
      const timer = setInterval(() => {
        if (!told[0]) return;
        clearInterval(timer);
        done(told[0]);
      }, 20);
    });
  return { home, ends, end };
}

const turn = { id: 't1', status: 'completed', completedAt: 1_800_000_000 };

async function enter(world: World, route: 'native' | 'pull') {
  const child = await world.add('alone');
  const task = await world.send(child, { kind: 'task', body: 'new task' });
  const { claim } = await world.take(child, route);
  await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
  return { child, task };
}

contract('ends of Codex’s turns', (check) => {
  check(
    'rules 26, 41: a turn whose rollout cannot be read answers no task that was sent after it ended',
    async (world) => {
      const { home, ends, end } = codex();
      // It cannot be listed: ENOTDIR, an error like EMFILE.
      writeFileSync(join(home, 'sessions'), '');
      ends.take('thread', turn);
      world.clock.pass(5000);
      const { child, task } = await enter(world, 'native');
      const news = await end();
      // As watch-turns does, with what readLastAnswer finds by then: the old turn's words.
      await endTurn(world.ledger, world.clock, {
        child: child.id,
        epoch: child.epoch,
        text: 'Old words.',
        ...news,
      });
      expect((await world.ledger.read((tx) => tx.debts.find(task.id)))?.end).toBeUndefined();
    },
  );

  check(
    'rule 26: a turn whose end is written late answers no task that the next turn fetched by check_inbox',
    async (world) => {
      const { home, ends, end } = codex();
      ends.take('thread', turn);
      world.clock.pass(1000);
      const { child, task } = await enter(world, 'pull');
      const folder = join(home, 'sessions/2026/11/17');
      mkdirSync(folder, { recursive: true });
      const line = (payload: object) => `${JSON.stringify({ type: 'event_msg', payload })}\n`;
      writeFileSync(
        join(folder, 'rollout-x-thread.jsonl'),
        line({ type: 'task_started', turn_id: 't1' }) +
          line({ type: 'task_complete', turn_id: 't1', last_agent_message: 'Old words.' }),
      );
      const news = await end();
      expect(news).toMatchObject({ text: 'Old words.', held: [] });
      await endTurn(world.ledger, world.clock, { child: child.id, epoch: child.epoch, ...news });
      expect((await world.ledger.read((tx) => tx.debts.find(task.id)))?.end).toBeUndefined();
      expect((await world.inbox(user)).map(({ body }) => body)).toEqual([]);
    },
  );
});
