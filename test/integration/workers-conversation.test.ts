import { describe, expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { AnswerView } from '../../src/protocol/tasks.ts';
import { type LivingClaude, launchClaude } from './fixtures/living-claude.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

/** The fake of Claude Code keeps a conversation in its file, and refuses to resume one without. */
describe.runIf(hasTmux)('workers come back with their conversations', () => {
  const handOff = async (
    station: Station,
    { env }: LivingClaude,
    to: readonly string[],
  ): Promise<void> => {
    const ended = await station.run(['handoff', ...to, '--json'], { env });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.json<AnswerView>()).toMatchObject({ outcome: 'answered' });
  };

  const comeBack = async (count: number): Promise<void> => {
    const station = await openStation();
    const claude = await launchClaude(station, 'claude-of-the-test');
    const names = Array.from({ length: count }, (_, n) => `worker-${n}`);
    const before: AgentView[] = [];
    for (const name of names) {
      await handOff(station, claude, ['claude', `First of ${name}.`, '--name', name]);
      before.push(await station.untilStatus(name, 'exited'));
    }
    for (const name of names) {
      // Without the environment that they were launched with.
      const { code, stderr } = await station.run(['handoff', name, `Second of ${name}.`]);
      expect([code, stderr]).toEqual([0, expect.stringContaining('which comes back for it')]);
    }
    for (const [n, name] of names.entries()) {
      const after = await station.untilStatus(name, 'exited');
      expect(after).toMatchObject({ epoch: 2, endedBy: 'task' });
      expect(after.conversation).toBe(before[n]?.conversation);
      expect(claude.copies(`First of ${name}.`)).toBe(1);
      expect(claude.copies(`Second of ${name}.`)).toBe(1);
    }
    expect(new Set(before.map(({ conversation }) => conversation)).size).toBe(count);
  };

  test('rules 37, 55: follow-up tasks to two ended workers bring each back with its conversation', () =>
    comeBack(2));

  test(
    'rules 37, 55: follow-up tasks to ten ended workers bring each back with its conversation',
    {
      tags: ['full'],
      timeout: 1_200_000,
    },
    () => comeBack(10),
  );
});
