import type { AgentStatus } from '../../src/agents/agent.ts';
import { isAtRest } from '../../src/agents/remember-turn.ts';
import type { NativeWay } from '../../src/delivery/recipient.ts';
import type { Injected, Injection } from '../../src/providers/way-in.ts';
import type { FakeAgent } from './agent.ts';
import type { Life } from './scheduler.ts';

type Lie =
  | 'none'
  | 'drop'
  | 'late'
  | 'unknown-landed'
  | 'unknown-dropped'
  | 'throws'
  | 'slow'
  | 'hangs';

const lies: readonly Lie[] = [
  'drop',
  'late',
  'unknown-landed',
  'unknown-dropped',
  'throws',
  'slow',
  'hangs',
];

/** Cut by somebody, and until it is put up again; or refused for a while, as any way in may be. */
export const connectionGone = 'its connection is gone';
export const notConnected = 'it is not connected';

/** The CLI's own way in, as one daemon holds it for one life of the agent. */
export function openFakeNative(agent: FakeAgent, daemon: Life): NativeWay {
  const { stage, epoch } = agent;
  const { scheduler, random } = stage;
  let isBlocked = false;
  const wakes = new Map<string, number>();
  const isSame = (): boolean => agent.isAlive && agent.epoch === epoch;

  async function act({ mark, text, signal }: Injection): Promise<Injected> {
    agent.underway.add(mark);
    let isGone = false;
    daemon.onEnd(() => {
      if (!isGone) agent.underway.delete(mark);
    });
    await scheduler.gate(daemon);
    const lie = stage.faults?.routesLie && random.chance(0.15) ? random.pick(lies) : 'none';
    if (lie === 'late') {
      const arrive = (): void => (isSame() ? agent.take(text) : undefined);
      // From here on it is the CLI's affair, whoever dies.
      isGone = true;
      stage.truth.late.add(mark);
      scheduler.after(agent.process, random.between(500, 90_000), arrive);
      return { outcome: 'taken' };
    }
    const isTaken = lie !== 'drop' && lie !== 'unknown-dropped' && isSame();
    if (isTaken && !(lie === 'hangs' && random.chance(0.5))) agent.take(text);
    else agent.underway.delete(mark);
    await scheduler.gate(daemon);
    if (lie === 'slow') await scheduler.sleep(daemon, random.between(5000, 40_000));
    if (lie === 'hangs') await new Promise(() => undefined);
    if (lie === 'throws') throw new Error(`lost, ${signal.aborted ? 'late' : 'in time'}`);
    if (lie === 'unknown-landed' || lie === 'unknown-dropped')
      return { outcome: 'unknown', reason: 'lost' };
    return { outcome: 'taken', receipt: mark.slice(0, 12) };
  }

  /** Out of its queue. The CLI's answer may be lost, and then it may have done it or not. */
  async function withdraw(mark: string): Promise<'withdrawn' | 'unknown'> {
    await scheduler.gate(daemon);
    const isLost = stage.faults !== undefined && random.chance(0.3);
    if (isLost && random.chance(0.5)) return 'unknown';
    const isOut = isSame() && agent.queue.withdraw(mark);
    await scheduler.gate(daemon);
    if (isLost) throw new Error('no answer');
    if (isOut) stage.account.note(agent.kind.name, 'taken back from a queue');
    return isOut ? 'withdrawn' : 'unknown';
  }

  return {
    blocked: () => {
      if (stage.faults?.routesRefuse && random.chance(0.05)) isBlocked = !isBlocked;
      if (!stage.faults) isBlocked = false;
      if (agent.channel.isCut) return { code: 'native-blocked', why: connectionGone };
      return isBlocked ? { code: 'native-blocked', why: notConnected } : undefined;
    },
    inject: async (injection) => {
      await scheduler.gate(daemon);
      const refuses = (): boolean => stage.faults?.routesRefuse === true && random.chance(0.1);
      if (refuses() || !isSame() || agent.channel.isCut)
        return { outcome: 'refused', reason: 'not now' };
      const { shown } = agent.monitor;
      if (!(await injection.begin())) return { outcome: 'refused', reason: 'the claim is over' };
      checkStatus(agent, shown);
      if (isAtRest(shown)) checkBurst(agent, wakes);
      if (refuses()) return { outcome: 'refused', reason: 'turned down' };
      const answer = await act(injection);
      if (answer.outcome === 'taken' && isAtRest(shown))
        wakes.set(injection.mark, scheduler.monotonicMs);
      return answer;
    },
    release: async () => {
      await scheduler.gate(daemon);
      if (isSame()) agent.release();
    },
    ...(agent.kind.withdraws ? { withdraw: ({ mark }) => withdraw(mark) } : {}),
    close: () => undefined,
  };
}

/** As it was when the engine said that it might begin. */
function checkStatus({ stage, kind, id }: FakeAgent, shown: AgentStatus): void {
  const { queueOnEsc = 'kept' } = kind.ways;
  const nativeDuring = queueOnEsc === 'kept' ? kind.ways.nativeDuring : [];
  const isBad =
    shown === 'starting' ||
    shown === 'exited' ||
    // Rule 51c: nobody's queue.
    shown === 'waiting' ||
    (shown === 'processing' && !nativeDuring.includes(shown));
  const broken = isBad && `${id} (${kind.name}) was given text while it was ${shown}`;
  stage.truth.judge('status: an act of the native route', broken);
}

/**
 * Rule 21: a burst is one turn. What is on its way in, and of which nobody has heard yet, is not
 * followed by another wake.
 */
function checkBurst(agent: FakeAgent, wakes: ReadonlyMap<string, number>): void {
  const { stage, kind, talk, told } = agent;
  // Nothing waits behind what cannot be proven (rules 8, 50).
  if (!kind.hasProof || kind.isStrange) return;
  for (const [mark, at] of wakes) {
    // At an agent that rests without a trace of it others are held back for 5 s (rule 42); an ack
    // makes proof needless.
    const isAwaited = stage.scheduler.monotonicMs - at < 5000 && !told.has(mark);
    const wasRead = talk.entries.some((entry) => entry.mark === mark && entry.hasOutput);
    const isTwice = isAwaited && !wasRead;
    const broken = isTwice && `rule 21: ${agent.id} was woken twice for a burst`;
    stage.truth.judge('rule 21: a wake after another', broken);
  }
}
