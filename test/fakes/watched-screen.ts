import { createFusionMemory } from '../../src/agents/fusion-memory.ts';
import type { StatusView, Verdict } from '../../src/agents/status.ts';
import { StatusMonitor } from '../../src/fleet/watch-status.ts';
import type { Clock } from '../../src/shared/clock.ts';
import type { Look } from '../../src/terminals/backend.ts';

/** By how much somebody has set the wall clock. */
export const setBy = { ms: 0 };

const clock: Clock = {
  now: () => Date.now() + setBy.ms,
  monotonicMs: () => Date.now(),
  sleep: async () => undefined,
};

/** Shows the given screens in turn, the last one for ever. */
export function watch(first: string, more: { readonly readyAfterMs?: number } = {}) {
  let screens: string[] = [first];
  const views: StatusView[] = [];
  const count = { looks: 0, gone: 0, troubles: 0 };
  let mustFail = false;
  const monitor = new StatusMonitor(
    {
      clock,
      ...more,
      look: async () => {
        count.looks++;
        if (mustFail) throw new Error('no backend');
        const shown = screens.length > 1 ? (screens.shift() ?? '') : (screens[0] ?? '');
        return shown === 'gone' ? 'gone' : screen(shown);
      },
      detect: (look) => verdict(look.lines[0] ?? ''),
      onChange: (view) => void views.push(view),
      onGone: () => void count.gone++,
      onLook: () => undefined,
      onTrouble: () => void count.troubles++,
    },
    createFusionMemory({ startedAt: clock.monotonicMs() }),
  );
  return {
    monitor,
    show: (...next: string[]) => {
      mustFail = false;
      screens = next;
    },
    fail: () => {
      mustFail = true;
    },
    looks: () => count.looks,
    gone: () => count.gone,
    troubles: () => count.troubles,
    told: () => {
      const told = views.map((view) => view.status);
      return told.filter((status, index) => status !== told[index - 1]);
    },
  };
}

function screen(text: string): Look {
  return {
    lines: [text],
    title: '',
    cursor: { x: 0, y: 0 },
    columns: 80,
    rows: 24,
    isAlive: true,
  };
}

/** `idle in shell`: with the composer in that mode. */
function verdict(shown: string): Verdict {
  const [status = '', mode] = shown.split(' in ');
  const base = { status: status as Verdict['status'], rule: status };
  return mode === undefined ? { ...base, composer: 'empty' } : { ...base, composer: 'draft', mode };
}
