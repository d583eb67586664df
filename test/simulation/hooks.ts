import type { Delivery } from '../../src/delivery/open-delivery.ts';
import type { TurnOutcome } from '../../src/messages/message.ts';
import type { HookOffer } from '../../src/providers/way-in.ts';
import type { FakeAgent } from './agent.ts';
import { Life } from './scheduler.ts';

/** Deadlines of the clients, milliseconds. */
const askMs = 600;
const confirmMs = 300;
const pollMs = 50_000;

function offer(route: HookOffer['route'], isContinued: boolean): HookOffer {
  return { route, isContinued, reply: (text) => ({ stdout: text, exitCode: 0 }) };
}

/** A synchronous hook of the CLI: what it prints, or undefined. */
export async function askHook(
  agent: FakeAgent,
  life: Life,
  route: 'turn-boundary' | 'mid-turn',
  isContinued: boolean,
): Promise<string | undefined> {
  const { stage } = agent;
  const asked = offer(route, isContinued);
  const said = await stage.call(life, (delivery) => delivery.ask(agent.id, asked), askMs);
  if (!said) return undefined;
  return (await confirm(agent, life, said.id)) ? said.reply.stdout : undefined;
}

/** True when the client has printed it. */
async function confirm(agent: FakeAgent, life: Life, id: string): Promise<boolean> {
  const { stage } = agent;
  const { random, scheduler, faults } = stage;
  if (faults?.hooksFail && random.chance(0.1)) return false;
  if (faults?.hooksFail && random.chance(0.1))
    await scheduler.sleep(life, random.between(500, 2500));
  const isTwice = faults?.hooksFail === true && random.chance(0.1);
  // Counted where the daemon answers: the client may have given up on an answer that comes late.
  let confirmations = 0;
  const ask = async (delivery: Delivery): Promise<boolean> => {
    const isConfirmed = await delivery.confirm(id);
    if (isConfirmed) confirmations++;
    return isConfirmed;
  };
  const isGo = await stage.call(life, ask, confirmMs);
  if (isTwice) {
    const again = await stage.call(life, ask, confirmMs);
    const broken = confirmations > 1 && 'rule 16: one reply was confirmed twice';
    if (isGo === true && again !== undefined)
      stage.truth.judge('rule 16: a second confirmation', broken);
    else if (broken) stage.truth.violated(broken);
  }
  if (isGo !== true) return false;
  return !(faults?.hooksFail && random.chance(0.1));
}

/** A turn ended; whoever runs the agents hears of it, or finds it out later. */
export async function tellTurn(
  agent: FakeAgent,
  life: Life,
  outcome: TurnOutcome,
): Promise<boolean> {
  const { audience } = agent.stage;
  if (audience) return audience.stopped(agent, life, outcome);
  const tell = (delivery: Delivery): Promise<boolean> =>
    delivery.turnEnded(agent.id, outcome).then(() => true);
  agent.missed = outcome;
  if (await agent.stage.call(life, tell, 600)) agent.missed = undefined;
  return true;
}

/** A person interrupted it: no hook fires, and the status tells, 2 s later. */
export function tellInterruption(agent: FakeAgent): void {
  const tell = (): void => void tellTurn(agent, agent.process, 'interrupted');
  if (agent.stage.audience) tell();
  else agent.after(2000, 2000, tell);
}

/** Nothing made it go on. Without a hook that said so, its end is told now. */
export function tellRest(agent: FakeAgent, isTold: boolean): void {
  agent.stage.audience?.rested(agent);
  if (!isTold) void tellTurn(agent, agent.process, 'completed');
}

/** A spare one comes because it may be missing (rule 53). */
export function spawnWaiter(agent: FakeAgent, how?: 'spare'): void {
  if (!agent.kind.ways.hasWaitingHook || !agent.isAlive) return;
  const { scheduler, random } = agent.stage;
  const life = new Life();
  if (agent.channel.waiter?.isOver !== false || how === undefined) agent.channel.waiter = life;
  const lingerMs = random.chance(0.3) ? 3000 : 0;
  // An orphan of a killed CLI may wait a little longer.
  agent.process.onEnd(() => {
    scheduler.after(new Life(), lingerMs, () => life.end());
  });
  void runWaitingHook(agent, life, how === 'spare' ? { isSpare: true } : {});
}

/**
 * A hook that waits: comes again when the daemon is lost, for as long as its parent lives
 * (rule 23).
 */
async function runWaitingHook(
  agent: FakeAgent,
  life: Life,
  spare: { readonly isSpare?: true },
): Promise<void> {
  const { scheduler } = agent.stage;
  const { pid, process } = agent;
  const waiter = { pid, offer: offer('native', false), ...spare };
  let pauseMs = 1000;
  while (!life.isOver) {
    const over = new AbortController();
    life.onEnd(() => over.abort());
    const stopPoll = scheduler.after(life, pollMs, () => over.abort());
    const answer = await agent.stage.call(
      life,
      async (delivery) => {
        const said = await delivery.wait(agent.id, waiter, over.signal);
        if (said !== 'dismissed') checkStatus(agent);
        return said;
      },
      pollMs + 1000,
    );
    stopPoll();
    if (answer === 'dismissed') {
      if (!over.signal.aborted) return;
    } else if (answer) {
      if (!process.isOver && (await confirm(agent, life, answer.id)) && !process.isOver) {
        if (agent.isAtRest) agent.stage.truth.woke(agent.id, scheduler.monotonicMs);
        agent.take(answer.reply.stdout ?? '');
        return;
      }
    }
    if (answer) {
      pauseMs = 1000;
      await scheduler.sleep(life, 100);
    } else {
      await scheduler.sleep(life, pauseMs);
      pauseMs = Math.min(2 * pauseMs, 30_000);
    }
  }
}

/** Nothing is said to an agent that waits for a person, or that nobody can tell about. */
function checkStatus({ stage, monitor, id }: FakeAgent): void {
  const { shown } = monitor;
  const isBad = shown === 'waiting' || shown === 'starting' || shown === 'unknown';
  const broken = isBad && `a waiting hook of ${id} was answered while it was ${shown}`;
  stage.truth.judge('status: an answer to a waiting hook', broken);
}
