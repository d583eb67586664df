import { expect, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { type CeilingWorld, openCeilingWorld, type Start } from './ceiling-world.ts';

/**
 * The permission ceiling of what an agent adds to the ledger: an agent by name, and a one-shot
 * command. Both act in their own name, and launch no more than their adder could.
 */
const ways = ['add', 'run'] as const;

test.each(ways)('what an agent adds in another folder launches nothing there (%s)', async (way) => {
  const world = await openCeilingWorld();
  for (const permission of ['read-only', 'ask', 'edit', undefined] as const) {
    const role = permission === undefined ? {} : { permission };
    const adder = await world.addAgent(`agent-${permission}`, role);
    const first = await world.addBelow(way, adder, world.other);
    // Nor does one that this one adds.
    const second = await world.addBelow(way, first, world.other);
    for (const caller of [first, second]) {
      expect(await launch(world, caller, world.other)).toMatchObject({
        code: 'not-allowed',
        message: expect.stringContaining(`another folder than your own ("${world.own}")`),
      });
      expect(await launch(world, caller, world.own)).toMatchObject({ cwd: world.own });
    }
    // It does run there.
    expect(first.cwd).toBe(world.other);
  }
  // One that may do everything may launch everywhere, and so may its script, where it runs.
  const all = await world.addAgent('all', { permission: 'all' });
  const script = await world.addBelow(way, all, world.other);
  expect(await launch(world, script, world.other)).toMatchObject({ cwd: world.other });
});

test.each(ways)(
  'a child of what an agent adds is told its mode where the agent’s is stated (%s)',
  async (way) => {
    const world = await openCeilingWorld();
    const modeOf = async (permission: 'read-only' | 'ask' | 'edit' | undefined) => {
      const role = permission === undefined ? {} : { permission };
      const adder = await world.addAgent(`agent-${permission}`, role);
      const first = await world.addBelow(way, adder, world.own);
      const second = await world.addBelow(way, first, world.own);
      const direct = readMode(await launch(world, adder, world.own));
      expect(readMode(await launch(world, first, world.own))).toEqual(direct);
      expect(readMode(await launch(world, second, world.own))).toEqual(direct);
      return direct;
    };
    expect(await modeOf('read-only')).toBe('dontAsk');
    expect(await modeOf('ask')).toBe('default');
    expect(await modeOf('edit')).toBe('acceptEdits');
    expect(await modeOf(undefined)).toBeUndefined();
  },
);

/** What was started for it, or why nothing was. */
async function launch(
  world: CeilingWorld,
  { id }: Agent,
  cwd: string,
): Promise<Partial<Start> & { readonly code?: string }> {
  const nothing = { notify: true, extraArgs: [], env: {}, extraEnv: {} };
  const asked = { provider: 'claude-code', cwd, ...nothing };
  const answer = await world.post('/agents', asked, { 'signalbox-agent': id });
  const [start] = world.take();
  return start ?? ((await answer.json()) as { error: { code: string } }).error;
}

function readMode({ argv = [] }: Partial<Start>): string | undefined {
  const at = argv.indexOf('--permission-mode');
  return at < 0 ? undefined : argv[at + 1];
}
