import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scriptedProvider } from '../../src/demo/scripted-provider.ts';
import type { TrustView } from '../../src/protocol/trust.ts';
import { program } from '../support/cli.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Clone, openClone } from './fixtures/clone.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasTmux } from './fixtures/station.ts';

describe.runIf(hasTmux)('signalbox trust', () => {
  test('launch asks at a terminal: it shows what the file would change, and no is the default', async () => {
    const clone = await openClone();
    const path = clone.profile(
      'worker',
      `provider: ${scriptedProvider}
model: "m1"
permissionMode: all
allowedTools: [Bash]
mcpServers: { s: { command: "./run me", args: ["\\e[2K--x"] } }
env: { GREETING: hello, BASH_ENV: ./x }`,
      `Obey.\u001b[2J\u202e`,
    );
    for (const answer of ['', 'n', 'y', 'yes', 'N']) {
      const refused = await clone.type(['launch', 'worker'], answer);
      expect([refused.code, /is not trusted/.test(refused.screen)]).toEqual([5, true]);
    }
    const { code, screen } = await clone.type(['launch', 'worker', '--name', 'w'], 'trust');
    expect(code).toBe(0);
    for (const said of [
      path,
      /provider +scripted\n/,
      /model +m1\n/,
      /permission +all\n/,
      /servers +s: ".\/run me" <U\+001B>\[2K--x/,
      /variables +GREETING\n/,
      /left out +BASH_ENV \(never taken from a project\)/,
      /tools +Bash \(without asking\)/,
      /instructs +its model, in 12B of text/,
      /It would work without asking anybody/,
      /Trust this file, exactly as it is now\? Type trust, or Enter for no \[trust\/N\] trust/,
      /w launched by the profile worker/,
    ]) {
      expect(screen).toMatch(said);
    }
    // It is remembered, for scripts as well, and by a later daemon.
    await clone.station.run(['down']);
    expect((await clone.launch('worker')).code).toBe(0);
    const assigned = ['assign', 'worker', 'Do it', '--cwd', clone.repository.path, '--json'];
    expect((await clone.station.run(assigned)).code).toBe(0);
  });

  test('rule 54: an agent, a program that a coding CLI started, and a script may not consent', async () => {
    const clone = await openClone();
    const path = clone.profile('worker');
    await clone.station.launch('lead');
    const refuse = async (env: Record<string, string>, said: RegExp): Promise<void> => {
      const typed = await clone.person.type(['trust', path], ['y'], { env });
      expect([typed.code, typed.screen]).toEqual([5, expect.stringMatching(said)]);
      expect(typed.screen).not.toContain('[y/N]');
    };
    await refuse({ SIGNALBOX_AGENT: 'lead' }, /SIGNALBOX_AGENT is set, so it is an agent/);
    await refuse({ SIGNALBOX_AGENT: 'nobody-at-all' }, /it is an agent/);
    await refuse({ SIGNALBOX_TOKEN: 'tok_x' }, /SIGNALBOX_TOKEN is set/);
    await refuse({ CLAUDECODE: '1' }, /CLAUDECODE is set, so a coding CLI has started it/);
    const script = await clone.station.run(['trust', path, '--json'], {
      input: 'y\ny\n',
      wrapper: ['setsid', '--wait'],
    });
    expectFault(script, 5, 'not-allowed', /it has no terminal, so it is a script/);
    expectFault(
      await clone.station.runAs('lead', ['trust', '--revoke', path, '--json']),
      5,
      'not-allowed',
    );
    expect(await list(clone)).toEqual([]);
    expectFault(await clone.launch('worker'), 5, 'not-trusted');
  });

  test('rule 54: keys typed before the question stands there are no consent, with or without Enter', async () => {
    const clone = await openClone();
    const path = clone.profile('worker');
    const held = join(clone.station.home, 'held');
    mkdirSync(held);
    const env = { SIGNALBOX_FAILPOINTS: 'trust.asking=hold', SIGNALBOX_FAILPOINT_DIR: held };
    for (const ahead of ['y\n', 'y', 'y\ny']) {
      const typed = await clone.person.type(['trust', path], [''], {
        env,
        before: async (keys) => {
          await waitUntil('the review', async () => readdirSync(held).length > 0 || undefined);
          await keys(ahead);
          for (const name of readdirSync(held)) rmSync(join(held, name));
        },
      });
      expect(typed.screen).toMatch(/worker\.md {2}not trusted/);
    }
    expect(await list(clone)).toEqual([]);
    // An answer to the question is one.
    expect((await clone.type(['trust', path], 'yes')).screen).toMatch(/trusted, as it is now/);
  });

  test('a file that is swapped while launch asks is asked for again, with what has changed', {
    tags: ['full'],
  }, async () => {
    const clone = await openClone();
    clone.profile('worker');
    const fields = `provider: ${scriptedProvider}\npermissionMode: all`;
    const typed = await clone.person.type(['launch', 'worker'], ['y', 'n'], {
      cwd: clone.repository.path,
      meanwhile: () => clone.profile('worker', fields),
    });
    expect(typed.screen).toMatch(/\+permissionMode: all\n(.*\n)*.*\[trust\/N\] n/);
    expect(typed.code).toBe(5);
    expect(await clone.agents()).toEqual(['user']);
  });

  test('rule 54: in an agent’s own terminal nobody consents, whatever its environment was made to say', {
    tags: ['full'],
  }, async () => {
    const clone = await openClone();
    const path = clone.profile('worker');
    const out = join(clone.station.home, 'out');
    const clean = `env -i PATH="$PATH" SIGNALBOX_HOME=${clone.station.home} ${process.execPath} ${program}`;
    const trust = `${clean} trust ${path} --json`;
    // Once below the agent, and once as nobody's child, without a variable of the agent's in it or
    // above it.
    const words = `(echo y; sleep 5) | ${trust} > ${out}-child; (exec ${trust} > ${out}-orphan & ); sleep 600`;
    const launched = ['launch', 'generic', '--name', 'sly', '--json', '--', 'sh', '-c', words];
    expect((await clone.station.run(launched)).code).toBe(0);
    const read = async (who: string): Promise<{ error: { code: string; message: string } }> =>
      JSON.parse(
        await waitUntil(`the word of the ${who}`, async () => {
          const said = existsSync(`${out}-${who}`) ? readFileSync(`${out}-${who}`, 'utf8') : '';
          return said.endsWith('}\n') ? said : undefined;
        }),
      );
    const child = /process \d+ has started it, in which SIGNALBOX_\w+ is set/;
    expect((await read('child')).error).toMatchObject({
      ...{ code: 'not-allowed', message: expect.stringMatching(child) },
    });
    expect((await read('orphan')).error).toMatchObject({
      ...{
        code: 'not-allowed',
        message: expect.stringMatching(/this is the terminal of an agent/),
      },
    });
    expect(await list(clone)).toEqual([]);
  });

  test('a damaged record, or one that others may write, counts for nothing and is told', {
    tags: ['full'],
  }, async () => {
    const clone = await openClone();
    const path = clone.profile('worker');
    const folder = join(clone.station.home, 'trust');
    await clone.type(['trust', path], 'y');
    const [record = ''] = readdirSync(folder).map((name) => join(folder, name));
    expect([statSync(folder).mode & 0o777, statSync(record).mode & 0o777]).toEqual([0o700, 0o600]);
    const whole = readFileSync(record, 'utf8');
    for (const text of [
      whole.slice(0, -20),
      '',
      '{}',
      whole.replace(/"sha256": "./, '"sha256": "'),
      'null',
    ]) {
      writeFileSync(record, text);
      expectFault(
        await clone.launch('worker'),
        5,
        'not-trusted',
        /the record of that .* is damaged/,
      );
      expect((await list(clone)).map(({ state }) => state)).toEqual(['damaged']);
    }
    // A record of another file, put in its place.
    writeFileSync(record, whole.replace(path, '/elsewhere.md'));
    expectFault(await clone.launch('worker'), 5, 'not-trusted', /speaks of another file/);
    writeFileSync(record, whole);
    chmodSync(record, 0o666);
    expectFault(await clone.launch('worker'), 5, 'not-trusted', /others may have written it/);
    // Asked again, it is mended.
    expect((await clone.type(['trust', path], 'y')).screen).toMatch(/is damaged/);
    expect((await clone.launch('worker')).code).toBe(0);
  });

  test('--list tells what is still the same, --revoke takes it back, and both are documents', {
    tags: ['full'],
  }, async () => {
    const clone = await openClone();
    const [one, two] = [clone.profile('one'), clone.profile('two')];
    clone.profile('bad', 'worktree: perhaps');
    symlinkSync(two, join(clone.repository.path, '.signalbox/profiles/way.md'));
    const { screen } = await clone.type(['trust', '--json'], 'y', 'n', 'n');
    const files = JSON.parse(screen.slice(screen.lastIndexOf('{"files"'))) as {
      files: TrustView[];
    };
    expect(files.files.map(({ state }) => state)).toEqual(['broken', 'trusted', 'new', 'new']);
    expect(files.files[3]).toMatchObject({ realPath: two });
    expect(files.files[3]).not.toHaveProperty('outside');
    await clone.type(['trust', two], 'y');
    clone.profile('two', 'model: other');
    const listed = await list(clone);
    expect(new Map(listed.map(({ path, state }) => [path, state]))).toEqual(
      new Map([
        [one, 'trusted'],
        [two, 'changed'],
      ]),
    );
    expect(listed[0]).toMatchObject({
      kind: 'profile',
      by: expect.stringMatching(/ at \/dev\/pts\//),
    });
    expect((await clone.station.run(['trust', '--list'])).stdout).toMatch(
      /^STATE +KIND +SINCE +BY +FILE\n/,
    );
    expectFault(
      await clone.station.run(['trust', '--revoke', '/nonexistent', '--json']),
      2,
      'invalid-input',
    );
    const revoked = await clone.station.ask<{ revoked: TrustView[] }>('trust', '--revoke', one);
    expect(revoked.revoked.map(({ path }) => path)).toEqual([one]);
    expectFault(await clone.launch('one'), 5, 'not-trusted');
    await clone.station.ask('trust', '--revoke', clone.repository.path);
    expect(await list(clone)).toEqual([]);
    expect((await clone.station.run(['trust', '--list'])).stdout).toMatch(
      /^nothing of any working/,
    );
    expectFault(await clone.station.run(['trust', '--list', '.', '--json']), 2, 'usage');
  });

  test('your own profiles and the built-in ones need no trust, and keep their names', {
    tags: ['full'],
  }, async () => {
    const clone = await openClone();
    await clone.station.run(['profile', 'add', clone.profile('mine')]);
    clone.profile('mine', 'model: other');
    expectFault(await clone.launch('mine'), 5, 'not-trusted', /a profile of your own.*`user:mine`/);
    const ended = await clone.launch('user:mine', '--name', 'w');
    expect(`${ended.code} ${ended.stderr}`).toBe('0 ');
    const own = join(clone.station.home, 'profiles', 'mine.md');
    const typed = await clone.type(['trust', own]);
    expect([typed.code, typed.screen]).toEqual([2, expect.stringMatching(/needs no trust/)]);
    expectFault(await clone.launch('project:nobody'), 3, 'profile-not-found', /of the project/);
  });
});

async function list({ station }: Clone): Promise<readonly TrustView[]> {
  return (await station.ask<{ files: readonly TrustView[] }>('trust', '--list')).files;
}
