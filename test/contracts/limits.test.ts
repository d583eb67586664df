import { describe, expect, onTestFinished, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { userAgentId } from '../../src/agents/agent.ts';
import type { Permission } from '../../src/agents/permission.ts';
import type { Role } from '../../src/agents/role.ts';
import { limitRole } from '../../src/fleet/ceiling.ts';
import type { WantedLaunch } from '../../src/fleet/fleet.ts';
import { checkTree } from '../../src/fleet/limits.ts';
import { provider as claude } from '../../src/providers/claude-code/provider.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { Fault } from '../../src/shared/fault.ts';
import { createId } from '../../src/shared/ids.ts';
import { engines } from './engines.ts';

/** A CLI with a mode for each word of the scale, and arguments that a person may have written. */
const modes = { plan: 'read-only', default: 'ask', acceptEdits: 'edit', bypass: 'all' } as const;
const mapped: Provider = {
  ...claude,
  capabilities: { ...claude.capabilities, permissions: modes },
  readPermission: (args) => (args.includes('--yolo') ? 'all' : undefined),
};
const unmapped: Provider = {
  ...claude,
  capabilities: { ...claude.capabilities, permissions: {} },
};

describe.each(engines)('limits of what agents launch, on $name', (engine) => {
  async function openWorld(limits = { depth: 3, breadth: 3 }) {
    const { ledger, dispose } = await engine.open(systemClock);
    onTestFinished(dispose);
    const find = async (name: string): Promise<Provider> => {
      if (name === 'mapped') return mapped;
      throw new Fault('provider-not-found', 'none', 'none');
    };
    const parts = { ledger, providers: { find, detector: async () => claude as never } };
    const add = (name: string, more: Partial<Agent> = {}, extraArgs: string[] = []) =>
      ledger.write(async (tx) => {
        const id = createId('agt', 1);
        const agent: Agent = {
          ...{ id, name, session: 'default', provider: 'mapped', backend: 'tmux', epoch: 1 },
          ...{ status: 'idle', source: 'process', since: 1, notify: true, cwd: '/', createdAt: 1 },
          ...more,
        };
        await tx.agents.insert(agent);
        await tx.epochs.insert({
          ...{ agent: id, epoch: 1, backend: 'tmux', provider: 'mapped', argv: [], extraArgs },
          ...{ tokenHash: id, startedAt: 1 },
        });
        return agent;
      });
    return {
      ledger,
      add,
      /** What the tree says of one more child. */
      launch: (callerAgent: string, parent: string | undefined = callerAgent) =>
        ledger.write((tx) => checkTree(tx, limits, { callerAgent, parent })),
      limit: (caller: Agent, role: Role, more: Partial<WantedLaunch> = {}, of = mapped) =>
        limitRole(parts, of, {
          ...{ callerAgent: caller.id, parent: caller.id, extraArgs: [], extraEnv: {}, role },
          model: undefined,
          ...more,
        }),
    };
  }

  test('E11: generations are counted from what the user launched, and the last may launch nobody', async () => {
    const { add, launch } = await openWorld();
    const lead = await add('lead');
    const child = await add('child', { parent: lead.id });
    const grandchild = await add('grandchild', { parent: child.id });
    const last = await add('last', { parent: grandchild.id });
    for (const one of [lead, child, grandchild]) await launch(one.id);
    await expect(launch(last.id)).rejects.toMatchObject({
      code: 'not-allowed',
      message: expect.stringMatching(/generation 4, and agents may launch 3 below/),
      next: expect.stringMatching(/Do the task yourself/),
    });
    // Nor for another that it might name instead.
    await expect(launch(lead.id, last.id)).rejects.toMatchObject({ code: 'not-allowed' });
    await launch(userAgentId, last.id);
  });

  test('E11: only so many children run at once; one that has ended or gone makes room', async () => {
    const { add, launch, ledger } = await openWorld();
    const lead = await add('lead');
    const children = [];
    await add('puller', { parent: lead.id, backend: 'none', status: 'unknown' });
    for (const name of ['a', 'b', 'c']) children.push(await add(name, { parent: lead.id }));
    await expect(launch(lead.id)).rejects.toMatchObject({
      code: 'not-allowed',
      message: 'You already have 3 running children, and 3 are allowed: a, b, c.',
      next: expect.stringMatching(/one of them by name, .* for example `signalbox stop a`\);/),
    });
    const [a, b] = children;
    const since = 2;
    await ledger.write((tx) =>
      tx.agents.setStatus(a?.id ?? '', { status: 'exited', source: 'process', since }),
    );
    await launch(lead.id);
    await add('d', { parent: lead.id });
    await expect(launch(lead.id)).rejects.toMatchObject({ code: 'not-allowed' });
    await ledger.write((tx) => tx.agents.markRemoved(b?.id ?? '', 2, true));
    await launch(lead.id);
  });

  test('an agent makes nobody the parent that it did not start', async () => {
    const { add, launch } = await openWorld();
    const lead = await add('lead');
    const child = await add('child', { parent: lead.id });
    const stranger = await add('stranger');
    await launch(lead.id, child.id);
    await expect(launch(lead.id, stranger.id)).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(launch(child.id, lead.id)).rejects.toMatchObject({ code: 'not-allowed' });
  });

  test('limits of 0 mean that agents launch nobody', async () => {
    const none = await openWorld({ depth: 0, breadth: 3 });
    const lead = await none.add('lead');
    await expect(none.launch(lead.id)).rejects.toMatchObject({ code: 'not-allowed' });
    const narrow = await openWorld({ depth: 3, breadth: 0 });
    const other = await narrow.add('lead');
    await expect(narrow.launch(other.id)).rejects.toMatchObject({ code: 'not-allowed' });
  });

  const levels: readonly Permission[] = ['read-only', 'ask', 'edit', 'all'];
  const names = Object.keys(modes);

  test('rule 39: a child gets at most what its parent has, by our words and by the CLI’s own', async () => {
    const { add, limit } = await openWorld();
    for (const [held, permission] of levels.entries()) {
      const parent = await add(`parent-${permission}`, { role: { permission } });
      const byMode = await add(`mode-${permission}`, {
        role: { permissionMode: names[held] ?? '' },
      });
      for (const [wished, wish] of levels.entries()) {
        const own = { permissionMode: names[wished] ?? '' };
        for (const above of [parent, byMode]) {
          for (const role of [{ permission: wish }, own]) {
            const limited = limit(above, role);
            if (wished <= held) expect(await limited).toEqual(role);
            else await expect(limited).rejects.toMatchObject({ code: 'not-allowed' });
          }
        }
      }
    }
  });

  test('rule 39: a mode that nobody has mapped, arguments and tools beyond one’s own count as `all`', async () => {
    const { add, limit } = await openWorld();
    const edits = await add('edits', { role: { permission: 'edit', allowedTools: ['Read'] } });
    const all = await add('all', { role: { permission: 'all' } });
    const wishes: readonly [Role, Partial<WantedLaunch>?][] = [
      [{ permissionMode: 'turbo' }],
      [{ permissionMode: 'constructor' }],
      [{}, { extraArgs: ['--model', 'x'] }],
      [{ allowedTools: ['Read', 'Bash'] }],
    ];
    for (const [role, more] of wishes) {
      await expect(limit(edits, role, more)).rejects.toMatchObject({
        code: 'not-allowed',
        message: expect.stringMatching(/"edits" has `edit`, and .* counts as `all`/),
      });
      expect(await limit(all, role, more)).toEqual(role);
    }
    const same = { allowedTools: ['Read'] };
    expect(await limit(edits, same)).toEqual({ ...same, permission: 'edit' });
  });

  test('a parent of whom nothing is known counts as `ask`, and its children ask', async () => {
    const { add, limit } = await openWorld();
    const strangers = [
      await add('plain'),
      await add('gone', { provider: 'described-no-more' }),
      await add('puller', { provider: 'none', backend: 'none', epoch: 0 }),
      await add('odd', { role: { permissionMode: 'turbo' } }),
    ];
    for (const parent of strangers) {
      expect(await limit(parent, {})).toEqual({});
      expect(await limit(parent, { permission: 'ask' })).toEqual({ permission: 'ask' });
      await expect(limit(parent, { permission: 'edit' })).rejects.toMatchObject({
        code: 'not-allowed',
      });
    }
  });

  test('what a person wrote after `--` for the parent says what it may do, where its provider can read that', async () => {
    const { add, limit } = await openWorld();
    const bold = await add('bold', { role: { permission: 'ask' } }, ['--yolo']);
    const plain = await add('plain', {}, ['--verbose']);
    expect(await limit(bold, { permission: 'all' })).toEqual({ permission: 'all' });
    await expect(limit(plain, { permission: 'all' })).rejects.toThrow();
  });

  test('a child without a wish of a parent that only reads only reads, or is not launched', async () => {
    const { add, limit } = await openWorld();
    const reader = await add('reader', { role: { permission: 'read-only' } });
    const role = { profile: 'reviewer' };
    expect(await limit(reader, role)).toEqual({ ...role, permission: 'read-only' });
    // A CLI without such a mode would ask, and a person might allow.
    await expect(limit(reader, role, {}, unmapped)).rejects.toMatchObject({
      message: expect.stringMatching(/has no mode known to us that only reads/),
    });
    const editor = await add('editor', { role: { permission: 'edit' } });
    expect(await limit(editor, role, {}, unmapped)).toEqual(role);
  });

  test('a child without a wish of a parent with a stated permission is told that one: the user’s own default may be more', async () => {
    const { add, limit } = await openWorld();
    for (const permission of ['ask', 'edit'] as const) {
      const parent = await add(`stated-${permission}`, { role: { permission } });
      expect(await limit(parent, {})).toEqual({ permission });
    }
    const all = await add('all', { role: { permission: 'all' } });
    expect(await limit(all, {})).toEqual({});
  });

  test('named as the parent, a child limits what is launched below it, too', async () => {
    const { add, limit } = await openWorld();
    const lead = await add('lead', { role: { permission: 'all' } });
    const child = await add('child', { parent: lead.id, role: { permission: 'ask' } });
    await expect(limit(lead, { permission: 'edit' }, { parent: child.id })).rejects.toThrow();
    expect(await limit(lead, {}, { parent: child.id })).toEqual({ permission: 'ask' });
    // The least of both, also where one of them is not stated, or only reads.
    const editor = await add('editor', { role: { permission: 'edit' } });
    for (const [name, role] of Object.entries({
      ask: { permission: 'ask' },
      'read-only': { permission: 'read-only' },
      unknown: undefined,
    } as const)) {
      const below = await add(name, { parent: editor.id, ...(role ? { role } : {}) });
      const { permission } = role ?? { permission: 'ask' };
      expect(await limit(editor, {}, { parent: below.id })).toEqual({ permission });
    }
  });

  test('what the user launches has no limit', async () => {
    const { add, limit } = await openWorld();
    const reader = await add('reader', { role: { permission: 'read-only' } });
    const byUser = { callerAgent: undefined, parent: reader.id, extraArgs: ['--yolo'] };
    expect(await limit(reader, { permission: 'all' }, byUser)).toEqual({ permission: 'all' });
  });
});
