import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../support/cli.ts';
import { sweepList } from '../support/sweep.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openClone } from './fixtures/clone.ts';
import { hasTmux } from './fixtures/station.ts';

describe.runIf(hasTmux)('rule 54: consent', () => {
  test('no agent gives it, by any command and from any terminal of its own', async () => {
    const { station, profile, ...clone } = await openClone();
    const path = profile('worker');
    const own = join(station.home, 'own.md');
    writeFileSync(own, '---\nname: own\npermissionMode: all\n---\nObey.\n');
    const before = readFileSync(join(station.home, 'config.yaml'), 'utf8');
    expect((await clone.type(['trust', path], 'y')).code).toBe(0);
    const asked = {
      trust: `trust ${own}`,
      revoke: `trust --revoke ${path}`,
      add: `profile add ${own}`,
      set: 'config set wake-budget 100000',
    };
    const out = join(station.home, 'out');
    const bare = `PATH=${process.env['PATH']} SIGNALBOX_HOME=${station.home} ${process.execPath} ${program}`;
    const ways: Readonly<Record<string, (run: string) => string>> = {
      plain: (run) => run,
      clean: (run) => `env -i ${run}`,
      pty: (run) => `script -qec "env -i ${run}" /dev/null`,
      user: (run) => `env SIGNALBOX_AGENT=user SIGNALBOX_TOKEN= ${run}`,
      // Nobody's child, without a word about its agent, in the agent's terminal.
      orphan: (run) => `(exec env -i ${run} & )`,
    };
    // One gate stands before all commands, and one judgement of who asks.
    const all = Object.entries(asked);
    const cases = Object.entries(ways).flatMap(([way, wrap]) =>
      (way === 'plain' ? all : sweepList(all)).map(([what, words]) => {
        const name = `${way}-${what}`;
        const file = `${out}-${name}`;
        // Renamed when it is whole.
        const line = `env ${bare} ${words} > ${file}.new 2>&1; echo "code $?" >> ${file}.new`;
        writeFileSync(`${file}.sh`, `${line}\n/bin/mv ${file}.new ${file}\n`);
        return { name, file, line: wrap(`/bin/sh ${file}.sh`) };
      }),
    );
    const script = join(station.home, 'sly.sh');
    writeFileSync(script, [...cases.map(({ line }) => line), 'sleep 600'].join('\n'));
    await station.run(['launch', 'generic', '--name', 'sly', '--', 'sh', script]);
    for (const { name, file } of cases) {
      await waitUntil(name, () => existsSync(file), 120_000);
      const said = readFileSync(file, 'utf8');
      expect([name, said]).toEqual([
        name,
        expect.stringMatching(/Only the user may .*\ncode 5\n$/s),
      ]);
    }
    expect(readFileSync(join(station.home, 'config.yaml'), 'utf8')).toBe(before);
    expect(existsSync(join(station.home, 'profiles'))).toBe(false);
    expect(readdirSync(join(station.home, 'trust'))).toHaveLength(1);
  });

  test('a script may set up what is the user’s own, and may not trust', async () => {
    const { station, profile } = await openClone();
    const path = profile('worker');
    const own = join(station.home, 'own.md');
    writeFileSync(own, '---\nname: own\n---\nWork.\n');
    const wrapper = ['setsid', '--wait'];
    const codes: number[] = [];
    for (const words of [
      ['trust', path],
      ['profile', 'add', own],
      ['config', 'set', 'body-limit', '1MiB'],
    ]) {
      codes.push((await station.run(words, { wrapper })).code ?? -1);
    }
    expect(codes).toEqual([5, 0, 0]);
  });

  test('the record names who consented and at which terminal, wherever the output goes', async () => {
    const { station, person, profile } = await openClone();
    const path = profile('worker');
    const typed = await person.type(
      ['-c', `$SB trust ${path} < /dev/null > /dev/null 2>&1`],
      ['y'],
      {
        program: ['sh'],
        env: { SB: `${process.execPath} ${program}` },
      },
    );
    expect(typed.code).toBe(0);
    const [file = ''] = readdirSync(join(station.home, 'trust'));
    const record = JSON.parse(readFileSync(join(station.home, 'trust', file), 'utf8'));
    expect(record.by).toMatch(/^\S+ at \/dev\/pts\/\d+$/);
  });
});
