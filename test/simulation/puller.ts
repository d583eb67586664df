import { acknowledge } from '../../src/delivery/acknowledge.ts';
import { handOut } from '../../src/delivery/hand-out.ts';
import { settleHandedOut } from '../../src/delivery/settle-handed-out.ts';
import type { FakeAgent } from './agent.ts';
import type { Life } from './scheduler.ts';
import type { Entry } from './truth.ts';

/** `signalbox inbox drain`, run by the agent: a process of its own, which may die anywhere. */
export async function drain(agent: FakeAgent, turn: Life): Promise<void> {
  const { stage, id, epoch } = agent;
  const { random, faults, hosts } = stage;
  const life = turn.child();
  const host = hosts.start();
  life.onEnd(() => hosts.kill(host.pid));
  const mayDie = (): boolean => faults?.pullersDie === true && random.chance(0.1);
  const isOver = new Promise<void>((resolve) => life.onEnd(resolve));
  const work = async (): Promise<void> => {
    const request = { recipient: id, epoch, max: undefined, by: 'it', isInTerminal: true };
    const ledger = stage.ledger(life);
    const surroundings = { clock: stage.clock(life), host };
    // Its next call answers for what it was handed before (rule 17).
    await settleHandedOut({ ledger, surroundings }, id);
    // It is told how many remain, and comes again.
    let count = 0;
    for (let isEmpty = false; !isEmpty; ) {
      const handed = await handOut(ledger, surroundings, request);
      if (mayDie()) return life.end();
      const copies = handed.messages.map((message) => ({
        id: message.id,
        isRepeat: message.mayRepeat,
        isPointer: false,
      }));
      isEmpty = copies.length === 0;
      if (!isEmpty) agent.talk.pulled(epoch, copies, `${host.pid}-${count++}`);
      if (mayDie()) return life.end();
      await handed.finish();
    }
    life.end();
  };
  await Promise.race([work(), isOver]);
  if (turn.isOver) await new Promise(() => undefined);
}

/** Now and then it answers for what it has read, and does what it was asked to. */
export async function answerFor(
  agent: FakeAgent,
  turn: Life,
  read: readonly Entry[],
): Promise<void> {
  for (const entry of read) acknowledgeSome(agent, entry);
  const { audience } = agent.stage;
  if (!audience) return;
  await audience.spoke(agent, read);
  if (turn.isOver) await new Promise(() => undefined);
}

function acknowledgeSome({ stage, process }: FakeAgent, { copies }: Entry): void {
  const { random, scheduler } = stage;
  const ids = copies
    .filter(({ isPointer }) => random.chance(isPointer ? 0.5 : 0.05))
    .map(({ id }) => id);
  if (ids.length === 0) return;
  const ledger = stage.ledger(process);
  void ledger.write((tx) =>
    acknowledge(tx, scheduler.now, ids, { code: 'acked', cause: 'acked by the agent' }),
  );
}
