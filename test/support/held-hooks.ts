import type { HeldCall } from '../../src/fleet/questions/held-call.ts';
import { type HeldAnswer, HeldHooks } from '../../src/fleet/questions/held-hooks.ts';
import type { Decided, FindDecision } from '../../src/providers/questions.ts';
import { ManualClock } from '../fakes/manual-clock.ts';

export const cli = 100;
export const hook = 102;

/** The hook 102 runs below the shell 101 of the CLI 100. */
export function openHooks({ find }: { readonly find?: FindDecision } = {}) {
  const clock = new ManualClock();
  const alive = new Map([
    [cli, 'a'],
    [hook, 'b'],
    [hook + 10, 'c'],
  ]);
  const parents = new Map([
    [hook, 101],
    [hook + 10, 111],
    [101, cli],
    [111, cli],
  ]);
  let changes = 0;
  const people: { watchers: number | undefined } = { watchers: 0 };
  const hooks = new HeldHooks({
    clock,
    startOf: (pid) => alive.get(pid),
    parentOf: (pid) => parents.get(pid) ?? 0,
    track: find && (async () => find),
    changed: () => void changes++,
    watchers: async () => people.watchers,
  });
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 100) await clock.pass(100);
  };
  const poll = (more: Partial<HeldCall> = {}) => {
    const gone = new AbortController();
    let told: HeldAnswer | undefined;
    void hooks.hold(call(more), gone.signal).then((answer) => {
      told = answer;
    });
    return { leave: () => gone.abort(), told: () => told };
  };
  const decide = (decision: 'allow' | 'deny' = 'allow', key = hooks.open[0]?.key ?? '') => {
    let decided: Decided | undefined;
    void hooks.decide(key, decision, new AbortController().signal).then((outcome) => {
      decided = outcome;
    });
    return () => decided;
  };
  return { hooks, people, alive, parents, pass, poll, decide, changes: () => changes };
}

function call(more: Partial<HeldCall>): HeldCall {
  return {
    ...{ cli, hook, subject: 'Bash make', asker: '', payload: { event: 'x', body: {} } },
    question: {
      ...{ asks: 'command', text: 'make', decisions: ['allow', 'deny'] },
      reply: (decision) => ({ stdout: decision, exitCode: 0 }),
    },
    ...more,
  };
}

export function idOf(told: HeldAnswer | undefined): string {
  if (typeof told !== 'object') throw new Error(`it was told ${told}`);
  return told.id;
}
