import type { Debt } from '../../../src/messages/debt.ts';
import type { FakeAgent } from '../agent.ts';
import { hasMail } from '../calm.ts';
import { isObstructed } from '../liveness.ts';
import { findQuestion, isGone } from './accounts.ts';
import type { TeamWorld } from './world.ts';

/** How often it is looked; milliseconds. */
const everyMs = 5000;
/**
 * A worker that rests is reminded after 10 s, and after 10 s more of rest its giver is told
 * (rule 30); and a look or two.
 */
const mostMs = 30_000;

/**
 * Whoever waits is told in time that no answer comes: while a worker rests, owes, has read all its
 * mail and waits for nobody, something must be said within 30 s about one of its tasks, to it or to
 * its giver; and so of one after the other.
 */
export function watchDebts(world: TeamWorld): void {
  const spans = new Map<string, { readonly said: string; readonly ms: number }>();
  let known = world.daemon;
  const look = async (): Promise<void> => {
    // What a daemon waits for, the next one waits for anew.
    if (world.daemon !== known) spans.clear();
    known = world.daemon;
    for (const agent of world.agents) {
      const due = await listDue(world, agent);
      // Between two looks it may have worked: then it rests anew.
      const said = due.map(({ task, remindedAt }) => `${agent.turns} ${task} ${remindedAt}`).join();
      const before = spans.get(agent.id);
      const beforeMs = before?.said === said ? before.ms : 0;
      const ms = due.length > 0 ? beforeMs + everyMs : 0;
      spans.set(agent.id, { said, ms });
      judge(world, agent, due, beforeMs, ms);
    }
    world.scheduler.after(world.always, everyMs, () => void look());
  };
  void look();
}

function judge(
  { tally, truth }: TeamWorld,
  { id, kind }: FakeAgent,
  due: readonly Debt[],
  beforeMs: number,
  ms: number,
): void {
  if (ms > 0) truth.judged.note('rule 30: owed at rest');
  tally.reach(kind.name, 'in vain at rest, at most (s)', ms / 1000);
  if (ms <= mostMs || beforeMs > mostMs) return;
  const tasks = due.map(({ task, creditor }) => `${task} of ${creditor}`).join(', ');
  truth.violated(`rule 30: nothing was said for 30 s of rest: ${id} owes ${tasks}`);
}

/** What it owes, and nothing but time keeps it, or its giver, from hearing of it. */
async function listDue(world: TeamWorld, worker: FakeAgent): Promise<readonly Debt[]> {
  const { inner, scheduler } = world;
  if (worker.isRemoved || isObstructed(world, worker) || !worker.isAtRest) return [];
  const owed = await inner.read(async (tx) => {
    const isWaiting = (await tx.debts.listOwedTo(worker.id)).length > 0;
    return isWaiting ? [] : tx.debts.listOwedBy(worker.id);
  });
  const due = owed.filter(
    ({ task, creditor, toldAt }) =>
      toldAt === undefined &&
      !isGone(world, creditor) &&
      !findQuestion(world, task, scheduler.now, 'possibly'),
  );
  return due.length > 0 && (await hasMail(world, worker)) ? [] : due;
}
