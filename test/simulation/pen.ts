import type { Pen, PenLook } from '../../src/delivery/recipient.ts';
import type { Written } from '../../src/terminals/writing.ts';
import type { FakeAgent } from './agent.ts';
import { describeComposer } from './composer.ts';
import type { Life } from './scheduler.ts';

/**
 * The agent's terminal, as one daemon writes to it. What it is told in its looks is what it may act
 * upon (rule 24).
 */
export function openFakePen(agent: FakeAgent, daemon: Life): Pen {
  const { stage, epoch } = agent;
  const { scheduler, random } = stage;
  let last: (PenLook & { readonly at: number }) | undefined;
  const isSame = (): boolean => agent.isAlive && agent.epoch === epoch;

  function paste(text: string): Written {
    checkPaste(agent, last);
    agent.composer.set(agent.composer.text + text.replaceAll('\r', '\n'), 'program');
    return 'written';
  }

  function enter(): Written {
    const isBlind = last?.composer !== 'draft';
    stage.truth.judge('rule 24: an Enter', isBlind && 'rule 24: Enter without a text in sight');
    const isSwallowed = stage.faults?.routesLie === true && random.chance(0.2);
    if (!isSwallowed && !agent.composer.isEmpty && agent.isAtRest) agent.submit('program');
    return 'written';
  }

  return {
    look: async () => {
      await scheduler.maybe(daemon, 0.5);
      if (!isSame()) return 'gone';
      const { status } = agent;
      const { humanKeyAt, isInCopyMode, text } = agent.composer;
      const look = {
        status,
        composer: describeComposer(text, agent.isAtRest),
        lines: ['words of the agent', `${agent.turns} turns`, ...`> ${text}`.split('\n')],
        ...(isInCopyMode ? { obstacle: 'copy-mode' as const } : {}),
        ...(humanKeyAt === undefined ? {} : { humanKeyAt }),
      };
      last = { ...look, at: scheduler.monotonicMs };
      await scheduler.maybe(daemon, 0.5);
      return look;
    },
    write: async (bytes) => {
      await scheduler.gate(daemon);
      if (!isSame()) return 'gone';
      if (agent.composer.isInCopyMode) return 'copy-mode';
      const isLost = stage.faults?.routesLie === true && random.chance(0.05);
      if (isLost && random.chance(0.3)) return 'unsent';
      const typed = bytes.toString();
      const isPaste = typed.startsWith('\x1b[200~');
      if (!(isLost && random.chance(0.5))) {
        if (isPaste) paste(typed.slice(6, -6));
        else enter();
      }
      await scheduler.gate(daemon);
      return isLost ? 'unknown' : 'written';
    },
  };
}

/** Whatever happened since is a race that nobody can win; what the last look said is not. */
function checkPaste(agent: FakeAgent, last: (PenLook & { readonly at: number }) | undefined): void {
  const { truth, scheduler } = agent.stage;
  truth.judged.note('rule 24: a paste');
  if (!last) {
    truth.violated('rule 24: a paste without a look');
    return;
  }
  const { status, composer, obstacle, humanKeyAt = Number.NEGATIVE_INFINITY, at } = last;
  if (status !== 'idle' && status !== 'completed' && status !== 'error')
    truth.violated(`rule 24: a paste while it was ${status}`);
  if (composer !== 'empty') truth.violated(`rule 24: a paste into a composer that was ${composer}`);
  if (obstacle !== undefined) truth.violated(`rule 45: a paste into ${obstacle}`);
  if (at - humanKeyAt < 3000) truth.violated('rule 24: a paste over a person who types');
  if (scheduler.monotonicMs - at > 1000) truth.violated('rule 24: a paste on an old look');
}
