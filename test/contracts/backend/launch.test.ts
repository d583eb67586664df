import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { Fault } from '../../../src/shared/fault.ts';
import { readEnvironment } from '../../../src/shared/process-tree.ts';
import { lifeOnly } from '../../../src/terminals/terminal.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type BackendWorld, backendContract } from './backends.ts';

const reporter = resolve('test/contracts/backend/reporter.mjs');

interface Seen {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly columns: number;
}

async function seenBy(
  world: BackendWorld,
  more: Parameters<BackendWorld['launch']>[1] = {},
  args: readonly string[] = [],
): Promise<Seen> {
  const file = join(world.folder, 'seen.json');
  await world.launch([process.execPath, reporter, file, 'stay', ...args], more);
  await waitUntil('the report', () => existsSync(file));
  return JSON.parse(readFileSync(file, 'utf8'));
}

backendContract('launching', (check, can) => {
  check(
    'a launched terminal is listed with the very identity that launch returned (B3)',
    async (world) => {
      const terminal = await world.launch(['cat']);
      expect(terminal).toMatchObject({ agent: 'agt_1', epoch: 1, pid: expect.any(Number) });
      const sights = await world.backend.list();
      expect(sights).toEqual([
        { terminal, isAlive: true, isHomeless: false, title: expect.any(String) },
      ]);
    },
  );

  check(
    'a process that launch returned has executed the program, with its environment',
    async (world) => {
      // Many: what is read too early is the server's own, and only now and then.
      for (let n = 1; n <= 20; n++) {
        const env = { PATH: process.env['PATH'] ?? '', NTH: String(n) };
        const { pid } = await world.launch(['cat'], { agent: `agt_${n}`, env });
        // In the moment in which a process executes its program there is none.
        const found = await waitUntil('an environment', () => {
          const now = readEnvironment(pid) ?? {};
          return Object.keys(now).length > 0 ? now : undefined;
        });
        expect(found).toMatchObject({ NTH: String(n) });
      }
    },
  );

  check('arguments reach the program as they are: no shell reads them', async (world) => {
    const args = [
      '',
      ' ',
      '$HOME',
      '`id`',
      '"',
      "'",
      '\\',
      'a;b',
      ';',
      '~',
      '#{pid}',
      '#(touch pwned)',
      'a\nb',
      '-x',
      '*',
      'é🚂',
      '=1',
      'x'.repeat(3000),
    ];
    expect((await seenBy(world, {}, args)).argv).toEqual(args);
    expect(existsSync(join(world.folder, 'pwned'))).toBe(false);
  });

  check('a program of one word is not given to a shell either', async (world) => {
    const name = join(world.folder, 'one word; touch pwned');
    const terminal = await world.launch([name]);
    await waitUntil('its end', async () => (await world.sight(terminal))?.isAlive === false);
    // It does not exist: 127, as `env` says it, and nothing else has happened.
    expect((await world.sight(terminal))?.exitCode).toBe(127);
    expect(existsSync(join(world.folder, 'pwned'))).toBe(false);
  });

  check('a program whose path holds an equals sign is started', async (world) => {
    const folder = join(world.folder, 'v=1');
    mkdirSync(folder);
    const script = join(folder, 'say');
    writeFileSync(script, '#!/bin/sh\necho "[$1]"\nexec cat\n', { mode: 0o755 });
    await world.launchUntil('[a b]', [script, 'a b']);
  });

  check(
    'the environment is the wanted one, exactly: quotes, newlines, 3 KB, empty (rule 40, B13)',
    async (world) => {
      const env = {
        PATH: process.env['PATH'] ?? '',
        SHELL: '/bin/of-the-caller',
        QUOTES: `a "b" 'c' \\d $e \`f\` #{pid} ~`,
        LINES: 'one\ntwo\r\nthree\n',
        LONG: 'x'.repeat(3000),
        EMPTY: '',
        UNICODE: 'é🚂',
        TMUX: '/somebody/else,1,2',
      };
      const seen = await seenBy(world, { env });
      const own = Object.entries(seen.env).filter(([name]) => !world.ownNames.includes(name));
      const { TMUX: foreign, ...wanted } = env;
      expect(Object.fromEntries(own)).toEqual(wanted);
      expect(seen.env['TMUX']).not.toBe(foreign);
    },
  );

  check('variables that shells change, or cannot name, are the wanted ones too', async (world) => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      'a.b': 'dotted',
      'BASH_FUNC_f%%': '() { echo f; }',
      IFS: 'x',
      OPTIND: '7',
      SHLVL: '41',
      OLDPWD: '/somewhere',
      _: '/bin/of-the-caller',
    };
    const seen = await seenBy(world, { env });
    const own = Object.entries(seen.env).filter(([name]) => !world.ownNames.includes(name));
    expect(Object.fromEntries(own)).toEqual(env);
  });

  check(
    'the program and its helpers start under the wanted umask, not the backend’s',
    async (world) => {
      for (const umask of [0o000, 0o027, 0o177]) {
        const [file, beside] = [join(world.folder, `u-${umask}`), join(world.folder, `h-${umask}`)];
        const make = (path: string) => ['sh', '-c', `: > "${path}"; echo made; exec cat`];
        const helpers = [{ name: 'beside', argv: make(beside), readyPath: beside }];
        const terminal = await world.launchUntil('made', make(file), { umask, helpers });
        const wanted = 0o666 & ~umask;
        expect([file, beside].map((path) => statSync(path).mode & 0o777)).toEqual([wanted, wanted]);
        await world.backend.closeTerminal(terminal);
      }
    },
  );

  check('the working directory is the wanted one, whatever its name', async (world) => {
    const cwd = join(world.folder, 'a #(touch pwned) #{pid} #[x] ~ "q" é');
    mkdirSync(cwd);
    expect((await seenBy(world, { cwd })).cwd).toBe(cwd);
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
  });

  check('a working directory that is gone is refused and nothing is started', async (world) => {
    const launched = world.launch(['cat'], { cwd: join(world.folder, 'gone') });
    await expect(launched).rejects.toThrow(Fault);
    await expect(launched).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await world.backend.list()).toEqual([]);
  });

  check('a variable that cannot be passed is refused by name', async (world) => {
    await expect(world.launch(['cat'], { env: { 'A=B': '1' } })).rejects.toThrow('"A=B"');
    await expect(world.launch(['cat'], { env: { A: 'x\0y' } })).rejects.toThrow('"A"');
  });

  if (can.size) {
    check('the terminal has the wanted size', async (world) => {
      const seen = await seenBy(world, { columns: 132, rows: 50 });
      expect(seen.columns).toBe(132);
    });
  }

  check('ten launches run side by side and each is itself (E9)', async (world) => {
    const ten = Array.from({ length: 10 }, (_, i) =>
      world.launch(['sh', '-c', `echo "I am <${i}>"; exec cat`]),
    );
    const terminals = await Promise.all(ten);
    for (const [i, terminal] of terminals.entries()) await world.untilScreen(terminal, `<${i}>`);
    const sights = await world.backend.list();
    expect(sights.map(({ terminal }) => terminal)).toEqual(expect.arrayContaining([...terminals]));
    expect(sights).toHaveLength(10);
  });

  check('two agents of one name have a terminal each', async (world) => {
    const [one, other] = await Promise.all([
      world.launchUntil('one', ['sh', '-c', 'echo one; exec cat'], { name: 'same.name' }),
      world.launchUntil('two', ['sh', '-c', 'echo two; exec cat'], { name: 'same.name' }),
    ]);
    expect(one?.pane).not.toBe(other?.pane);
  });

  check('a launch that is called off leaves nothing', async (world) => {
    const stop = new AbortController();
    const helpers = [{ name: 'never', argv: ['cat'], readyPath: join(world.folder, 'never') }];
    const launched = world.backend.launch(world.wanted(['cat'], { helpers }), stop.signal);
    const failed = expect(launched).rejects.toThrow();
    stop.abort();
    await failed;
    expect(await world.backend.list()).toEqual([]);
  });

  check(
    'rule 48: a helper that dies before it is ready fails the launch, in its words',
    async (world) => {
      const argv = ['sh', '-c', 'echo "no such model"; exit 4'];
      const helpers = [{ name: 'server', argv, readyPath: join(world.folder, 'never') }];
      const fault = await world.backend
        .launch(world.wanted(['cat'], { helpers, name: 'lead', called: 'shop/lead' }))
        .catch((error: unknown) => error);
      expect(fault).toMatchObject({ code: 'launch-failed' });
      // By the name that means this agent wherever it is pasted.
      expect(String(fault)).toContain('which "shop/lead" needs beside it');
      // herdr closes a pane with its program: there the exit code is left.
      expect(String(fault)).toMatch(
        /"server".* ended before it was ready\. (?:It said: no such model|Its end: exit 4)/,
      );
      expect(await world.backend.list()).toEqual([]);
    },
  );

  check('helpers run first, are no agents, and go with the agent', async (world) => {
    const ready = join(world.folder, 'ready');
    const pids = join(world.folder, 'pids');
    const helper = {
      name: 'server',
      argv: ['sh', '-c', `echo $$ > ${pids}; sleep 0.2; echo yes > ${ready}; exec cat`],
      readyPath: ready,
    };
    const terminal = await world.launchUntil(
      'is yes',
      ['sh', '-c', `echo "is $(cat ${ready})"; exec cat`],
      { helpers: [helper] },
    );
    expect(await world.backend.list()).toHaveLength(1);
    const pid = readFileSync(pids, 'utf8').trim();
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    await world.backend.closeTerminal(terminal);
    expect(await world.backend.list()).toEqual([]);
    await waitUntil('the end of the helper', () => !existsSync(`/proc/${pid}`));
  });

  check(
    'helpers of a terminal that a person closed are told, and still go with it',
    async (world) => {
      for (const how of ['by its terminal', 'by its life alone'] as const) {
        const pids = join(world.folder, 'pids');
        const argv = ['sh', '-c', `echo $$ > ${pids}; exec sleep 3600`];
        const terminal = await world.launchUntil('up', ['sh', '-c', 'echo up; exec cat'], {
          helpers: [{ name: 'server', argv, readyPath: pids }],
        });
        const pid = readFileSync(pids, 'utf8').trim();
        await world.closeByHand(terminal);
        const { agent, epoch } = terminal;
        const [sight] = await waitUntil('only helpers', async () => {
          const found = await world.backend.list();
          return found.some(({ isHelpersOnly }) => isHelpersOnly) ? found : undefined;
        });
        expect(sight).toMatchObject({ terminal: { agent, epoch, pane: '' }, isAlive: false });
        await world.backend.closeTerminal(
          how === 'by its terminal' ? terminal : lifeOnly(terminal),
        );
        await waitUntil('the end of the helper', () => !existsSync(`/proc/${pid}`));
        expect(await world.backend.list()).toEqual([]);
        rmSync(pids);
      }
    },
  );

  check('a helper has an environment of its own where one is given', async (world) => {
    const seen = join(world.folder, 'seen');
    const env = { PATH: process.env['PATH'] ?? '', OWN: 'yes' };
    const argv = ['sh', '-c', `echo "$OWN" > ${seen}; exec sleep 3600`];
    await world.launch(['cat'], { helpers: [{ name: 'server', argv, readyPath: seen, env }] });
    expect(readFileSync(seen, 'utf8')).toBe('yes\n');
  });
});
