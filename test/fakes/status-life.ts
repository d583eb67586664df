import type { AgentStatus } from '../../src/agents/agent.ts';
import { type Fusion, type FusionInputs, fuse } from '../../src/agents/fuse-status.ts';
import { createFusionMemory, type FusionMemory } from '../../src/agents/fusion-memory.ts';
import type { Composer, StatusReport, StatusView, Verdict } from '../../src/agents/status.ts';

export const hook = (status: AgentStatus, at: number, detail?: string): StatusReport =>
  report('hook', status, at, detail);
export const state = (status: AgentStatus, at: number, detail?: string): StatusReport =>
  report('state', status, at, detail);
export const screen = (
  status: AgentStatus,
  at: number,
  detail?: string,
  composer: Composer = 'unknown',
): Verdict & { at: number } => ({
  status,
  at,
  composer,
  rule: `rule-${status}`,
  ...(detail ? { detail } : {}),
});

export function report(
  source: 'hook' | 'state',
  status: AgentStatus,
  at: number,
  detail?: string,
): StatusReport {
  return { source, status, at, ...(detail ? { detail } : {}) };
}

/** An agent that has been idle, at 0, and not yet had a turn. */
export const idleOnce = life([{ screen: screen('idle', 0) }, 0]).memory;

/** Judges each step at its time, in order, and returns the last judgement. */
export function life(...steps: readonly (readonly [inputs: FusionInputs, at: number])[]): Fusion {
  return continueLife(createFusionMemory({ startedAt: 0 }), ...steps);
}

export function continueLife(
  memory: FusionMemory,
  ...steps: readonly (readonly [inputs: FusionInputs, at: number])[]
): Fusion {
  let result: Fusion | undefined;
  for (const [inputs, at] of steps) {
    result = fuse(result?.memory ?? memory, inputs, { wall: 1_000_000 + at, monotonicMs: at });
  }
  if (!result) throw new Error('no step');
  return result;
}

export function say({ status, detail, source }: StatusView): string {
  return `${status}${detail ? `: ${detail}` : ''} (${source})`;
}
