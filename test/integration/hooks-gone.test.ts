import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { listTree } from '../../src/shared/process-tree.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { sweep } from '../support/sweep.ts';
import { waitUntil } from '../support/wait-until.ts';
import { HookGround, isWaiting, type Run } from './fixtures/hook-ground.ts';
import { described, type InstalledHook } from './fixtures/installed-hooks.ts';

/**
 * Rule 23: whatever of ours is gone, broken or deaf, a hook ends with 0 and says nothing. Every
 * command that any provider installs is run as the CLI runs it, by a shell.
 */
const silence = { code: 0, signal: null, stdout: '', stderr: '' };
/** Claude Code and Kimi run it by sh, Copilot, Gemini CLI and Qwen Code by bash. */
const shells = sweep(['/bin/sh', '/bin/bash'], ['/bin/sh']).filter((shell) => existsSync(shell));
/** Of one second each at most; more at a time only make the machine slow. */
const atOnce = 6;
/** More than a pipe holds. */
const huge = JSON.stringify({ prompt: 'x'.repeat(300_000) });

const gone: Readonly<Record<string, (ground: HookGround) => void | Promise<void>>> = {
  'the daemon': () => undefined,
  'the state folder': ({ state }) => rmSync(state, { recursive: true }),
  'the script': ({ script }) => rmSync(script),
  'the right to run the script': ({ script }) => chmodSync(script, 0o600),
  curl: (ground) => removeCurl(ground),
  Node: ({ node }) => rmSync(node),
  'the package': (ground) => rmSync(ground.package, { recursive: true }),
  'curl and Node': (ground) => {
    removeCurl(ground);
    rmSync(ground.node);
  },
  'curl and the package': (ground) => {
    removeCurl(ground);
    rmSync(ground.package, { recursive: true });
  },
  'curl, Node, package and state folder': (ground) => {
    removeCurl(ground);
    rmSync(ground.node);
    for (const folder of [ground.package, ground.state]) rmSync(folder, { recursive: true });
  },
};

const refusal = 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n';
const refusing: typeof gone = {
  'a daemon that talks nonsense': (ground) =>
    ground.listen('HTTP/1.1 200 OK\r\n\r\n$(id) stdout 2\nx'),
  'a daemon that refuses': (ground) => ground.listen(refusal),
};

const broken: typeof gone = {
  'no tool at all': ({ bin }) => rmSync(bin, { recursive: true }),
  ...refusing,
  'a daemon that hangs': (ground) => ground.listen(),
  'a daemon that hangs, without curl': async (ground) => {
    await ground.listen();
    removeCurl(ground);
  },
  'a daemon that hangs, without curl and Node': async (ground) => {
    await ground.listen();
    removeCurl(ground);
    rmSync(ground.node);
  },
  'a daemon that hangs, without curl and package': async (ground) => {
    await ground.listen();
    removeCurl(ground);
    rmSync(ground.package, { recursive: true });
  },
  'a package that is half written': async (ground) => {
    await ground.listen();
    removeCurl(ground);
    truncateSync(ground.program, 5000);
  },
  'a Node that is half written': async (ground) => {
    await ground.listen();
    removeCurl(ground);
    const part = readFileSync(ground.node).subarray(0, 5000);
    rmSync(ground.node);
    writeFileSync(ground.node, part, { mode: 0o755 });
  },
  'a Node that complains and ends with 2': async (ground) => {
    await ground.listen();
    removeCurl(ground);
    rmSync(ground.node);
    const text = '#!/bin/sh\necho "node: bad option"; echo "usage: node" >&2; exit 2\n';
    writeFileSync(ground.node, text, { mode: 0o755 });
  },
  'a curl that complains and ends with 2': async (ground) => {
    await ground.listen();
    removeCurl(ground);
    const text = '#!/bin/sh\necho "curl: bad option"; echo "usage: curl" >&2; exit 2\n';
    writeFileSync(join(ground.bin, 'curl'), text, { mode: 0o755 });
  },
};

describe.each(Object.entries(gone))('without %s', (_, remove) => {
  test.each(shells)('rule 23: every hook of every provider is harmless in %s', async (shell) => {
    const ground = await HookGround.open();
    await remove(ground);
    await areHarmless(ground, { shell, payload: huge });
  });
});

describe.each(Object.entries(broken))('with %s', (_, disturb) => {
  test('rule 23: every hook of every provider is harmless', { tags: ['full'] }, async () => {
    const ground = await HookGround.open();
    await disturb(ground);
    await areHarmless(ground, {});
  });
});

describe.each([
  ['its folder deleted under it', 'mkdir gone 2>/dev/null; cd gone; rm -r ../gone; '],
  ['stdin closed', 'exec <&-; '],
  ['stdout closed', 'exec >&-; '],
  ['stderr closed', 'exec 2>&-; '],
  ['no descriptors to spare', 'ulimit -n 8; '],
  ['nowhere to write temporary files', 'TMPDIR=/nowhere; export TMPDIR; '],
])('with %s', (name, before) => {
  test.each(shells)('rule 23: every hook of every provider ends with 0 in %s', async (shell) => {
    const ground = await HookGround.open();
    // A shell of the CLI's complains by itself, of the folder and of descriptors.
    const usual = await ground.start('exit 0', { shell, before }).ended;
    const isQuiet = name !== 'no descriptors to spare';
    const same = {
      code: 0,
      signal: null,
      stdout: '',
      ...(isQuiet ? { stderr: usual.stderr } : {}),
    };
    for (const disturb of [() => undefined, () => ground.listen(refusal)]) {
      await disturb();
      const ends = await run(ground, { shell, before });
      // A shell without a descriptor for the file that it is to run ends with 2 before it begins.
      const begun = ends.filter(({ hook }) => isQuiet || hook.provider !== described);
      for (const { hook, end } of begun) expect({ hook, end }).toMatchObject({ hook, end: same });
    }
  });
});

test.each(['the daemon', 'the script', 'the state folder'])(
  'rule 23: without %s, what the CLI writes is read, also where it is more than a pipe holds',
  async (name) => {
    const ground = await HookGround.open();
    await gone[name]?.(ground);
    const ending = ground.hooks.filter((hook) => !isWaiting(hook) || !isRunnable(ground.script));
    for (const { command } of ending.filter((hook) => canBeFound(ground, hook))) {
      // It reads for half a second at most, in which a busy machine may not come to it: then once
      // more.
      const isRead = async (): Promise<boolean> =>
        !(await ground.start(command, { payload: huge }).ended).unread;
      await waitUntil(`all of it read by ${command}`, isRead);
    }
  },
);

test('rule 23: with its script gone, a hook ends although its payload does not', {
  tags: ['full'],
}, async () => {
  const ground = await HookGround.open();
  rmSync(ground.script);
  for (const { hook, end } of await run(ground, { payload: null })) {
    expect({ hook, end }).toMatchObject({ hook, end: silence });
  }
});

test.skipIf(process.platform !== 'linux').each(shells)(
  'rule 23: a hook that is killed ends with 0 for its CLI, in %s',
  async (shell) => {
    const ground = await HookGround.open();
    await ground.listen();
    for (const hook of ground.hooks.filter((one) => !isWaiting(one))) {
      // It lives for a second, in which a busy machine may not come to it: then once more.
      const killed = await waitUntil('one that could be killed', async () => {
        const { child, ended } = ground.start(hook.command, { shell });
        const find = () => findScript(child.pid ?? 0, ground.script);
        const script = await waitUntil('its script, or its end', find);
        if (script === 'ended') return undefined;
        process.kill(script, 'SIGKILL');
        return ended;
      });
      const { unread: _, ...end } = killed;
      expect({ hook, end }).toMatchObject({ hook, end: silence });
    }
  },
);

describe.each(Object.entries({ ...gone, ...refusing }))('without or with %s', (_, disturb) => {
  test('rule 23: a hook that waits ends once its script is gone', { tags: ['full'] }, async () => {
    const ground = await HookGround.open();
    await disturb(ground);
    const waiting = ground.hooks.filter(isWaiting);
    expect(waiting.length).toBeGreaterThan(0);
    // At whichever moment: while its shell looks, while the script is opened, or while it waits.
    for (const afterMs of [0, 4, 16, 500]) {
      const running = waiting.map(({ command }) => ground.start(command));
      const areOver = Promise.all(running.map(({ ended }) => ended));
      await delay(afterMs);
      const away = `${ground.state}.away`;
      if (existsSync(ground.state)) renameSync(ground.state, away);
      for (const { unread: _, ...end } of await areOver) expect(end).toMatchObject(silence);
      if (existsSync(away)) renameSync(away, ground.state);
    }
  });
});

async function areHarmless(ground: HookGround, wish: Run): Promise<void> {
  for (const { hook, end } of await run(ground, wish)) {
    const usual = canBeFound(ground, hook) ? silence : { code: 127, signal: null, stdout: '' };
    expect({ hook, end }).toMatchObject({ hook, end: usual });
  }
}

function canBeFound({ state }: HookGround, { provider }: InstalledHook): boolean {
  return provider !== described || existsSync(state);
}

/** Those that end by themselves: one that waits does so where its script cannot be run. */
async function run(ground: HookGround, wish: Run) {
  const left = isRunnable(ground.script)
    ? takeForms(ground.hooks.filter((hook) => !isWaiting(hook)))
    : [...ground.hooks];
  const done: { readonly hook: InstalledHook; readonly end: unknown }[] = [];
  const work = async (): Promise<void> => {
    for (let hook = left.shift(); hook; hook = left.shift()) {
      done.push({ hook, end: await ground.start(hook.command, wish).ended });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  expect(done.length).toBeGreaterThan(0);
  return done;
}

/**
 * One of each provider's texts that differ by more than the name of an event: the script asks only
 * whether an event must not be lost.
 */
function takeForms(hooks: readonly InstalledHook[]): InstalledHook[] {
  const forms = new Map<string, InstalledHook>();
  for (const hook of hooks) {
    const form = hook.command.replace(/(?<=hooks\/post' )\w+/, (event) =>
      /[Ss]top|^AfterAgent$|[Ee]rror|^UserPromptSubmit$/.test(event) ? 'kept' : 'other',
    );
    forms.set(`${hook.provider} ${form}`, hook);
  }
  return [...forms.values()];
}

function isRunnable(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o100) !== 0;
}

/** The process that the script itself is, below the CLI's shell. */
function findScript(below: number, script: string): number | 'ended' | undefined {
  const startedAt = readStartTime(below);
  if (startedAt === undefined) return 'ended';
  return listTree({ pid: below, startedAt }, []).find(({ pid }) => {
    const [, path] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return path === script;
  })?.pid;
}

function removeCurl({ bin }: HookGround): void {
  rmSync(join(bin, 'curl'));
}
