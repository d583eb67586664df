import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasCommand } from '../../../test/integration/fixtures/has-command.ts';
import type { LabHome } from '../../../test/lab/homes/home.ts';
import { runTmux } from '../../../test/lab/run-tmux.ts';
import { tempHome } from '../../../test/support/home.ts';
import { NotStarted } from '../../suite.ts';
import { findDeck, nameDeck } from './find-deck.ts';
import { DeckPlace } from './place.ts';
import { openDeck } from './seat.ts';

/** The real agent-deck was never run by this driver: all of this is with a stand-in. */
describe('AGENT_DECK_BIN', () => {
  test('unset or empty means that agent-deck is left out', () => {
    expect([findDeck({}), findDeck({ AGENT_DECK_BIN: '' })]).toEqual([undefined, undefined]);
  });

  test('is refused with a word on why', () => {
    const home = tempHome();
    const refused = (name: string): string => {
      try {
        findDeck({ AGENT_DECK_BIN: join(home, name) });
      } catch (error) {
        expect(error).toBeInstanceOf(NotStarted);
        return (error as Error).message;
      }
      return 'it was taken';
    };
    const put = (name: string, text: string, mode = 0o755): string => {
      writeFileSync(join(home, name), text, { mode });
      return name;
    };
    expect(refused('none')).toMatch(/AGENT_DECK_BIN names .*none, which does not exist\./);
    mkdirSync(join(home, 'folder'));
    expect(refused('folder')).toContain('which is not a file');
    expect(refused(put('plain', '#!/bin/sh\n', 0o644))).toContain('which you may not execute');
    expect(refused(put('torn', '\x7fELF'))).toContain('which is not agent-deck (`version`: ');
    expect(refused(put('tmux', '#!/bin/sh\necho "tmux 3.5"\n'))).toContain(
      'which is not agent-deck (`version`: it says "tmux 3.5")',
    );
    expect(refused(put('fails', '#!/bin/sh\nexit 3\n'))).toContain('(`version`: exit 3)');
    expect(refused(put('killed', '#!/bin/sh\nkill -9 $$\n'))).toContain('exit SIGKILL');
    expect(refused(put('newer', '#!/bin/sh\necho "Agent Deck v1.16.1"\n'))).toMatch(
      /which is agent-deck 1\.16\.1, and this bench knows the command lines of 1\.14\.0\. Name an agent-deck 1\.14\.0, or unset it\.$/,
    );
  });

  test('is asked its version in a home of its own, after the yes', () => {
    const { bin, log } = standIn();
    const ask = { AGENT_DECK_BIN: bin };
    expect(nameDeck(ask)).toBe(bin);
    expect(existsSync(log)).toBe(false);
    expect(findDeck(ask)).toBe(bin);
    const [said] = readCalls(log);
    expect(said?.args).toEqual(['version']);
    expect(said?.home).not.toBe(process.env['HOME']);
    expect(existsSync(said?.home ?? '')).toBe(false);
  });

  test('may have a newer one to offer', () => {
    const { bin } = standIn('Agent Deck v1.14.0 (update available: v1.16.1)');
    expect(findDeck({ AGENT_DECK_BIN: bin })).toBe(bin);
  });
});

test.skipIf(!hasCommand('tmux'))(
  'agent-deck is driven by these command lines, in a home and on a tmux server of its own',
  async () => {
    const { bin, log } = standIn();
    const home = labHome();
    const place = new DeckPlace(home, bin);
    onTestFinished(() => place.close());
    const life = { lab: { name: 'claude-code' }, mock: { requests: [] } } as const;
    const seat = await openDeck(life, place);
    await seat.prompt('word1, please; look $HOME');
    await seat.rests();
    const calls = readCalls(log);
    expect(calls.map(({ args }) => args)).toEqual([
      [
        ...['launch', home.cwd, '-t', 'lab', '-c', 'claude --permission-mode default'],
        '--no-parent',
      ],
      ['session', 'show', 'lab', '--json'],
      ['session', 'show', 'lab', '--json'],
      ['session', 'send', 'lab', 'word1, please; look $HOME'],
      ['session', 'show', 'lab', '--json'],
    ]);
    for (const call of calls) {
      expect(call).toMatchObject({ home: home.home, tmux: join(home.folder, 'tmux'), in: '' });
      expect(call.config).toBe(join(home.home, '.config'));
    }
    const config = join(home.home, '.config', 'agent-deck', 'config.toml');
    expect(readFileSync(config, 'utf8')).toContain('dangerous_mode = false');
    // The agent's terminal is on the server of this place, and ends with it.
    await seat.hands.shows(/the agent/, 10_000);
    await place.close();
    expect(existsSync(home.folder)).toBe(false);
    await expect(runTmux(place.socket, ['list-sessions'], {})).rejects.toThrow();
  },
);

test('what agent-deck cannot start is said in its own words', async () => {
  const { bin } = standIn(undefined, 'Error: group not found');
  const place = new DeckPlace(labHome(), bin);
  onTestFinished(() => place.close());
  const life = { lab: { name: 'codex' }, mock: { requests: [] } } as const;
  await expect(openDeck(life, place)).rejects.toThrow('agent-deck launch: Error: group not found');
});

interface Call {
  readonly args: readonly string[];
  readonly home: string;
  readonly config: string;
  readonly tmux: string;
  /** TMUX: inside a terminal it would be the reader's server. */
  readonly in: string;
}

/** Says "NOT delivered", as 1.14.0 did of what arrived in Codex. */
function standIn(version = 'Agent Deck v1.14.0', refusal?: string) {
  const folder = tempHome();
  const [bin, log] = [join(folder, 'agent-deck'), join(folder, 'calls')];
  const text = `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const { execFileSync } = require('node:child_process');
const [,, ...args] = process.argv;
const { HOME: home, XDG_CONFIG_HOME: config, TMUX_TMPDIR: tmux, TMUX = '' } = process.env;
appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args, home, config, tmux, in: TMUX }) + '\\n');
const refusal = ${JSON.stringify(refusal ?? '')};
if (args[0] === 'version') console.log(${JSON.stringify(version)});
else if (args[0] === 'launch' && refusal) { console.error(refusal); process.exit(1); }
else if (args[0] === 'launch') {
  execFileSync('tmux', ['-f', '/dev/null', 'new-session', '-d', '-s', 'agentdeck_lab', 'echo the agent; exec cat']);
} else if (args[1] === 'show') console.log(JSON.stringify({ status: 'waiting', tmux_session: 'agentdeck_lab' }));
else { console.error('NOT delivered'); process.exit(1); }
`;
  writeFileSync(bin, text);
  chmodSync(bin, 0o755);
  return { bin, log };
}

function readCalls(log: string): readonly Call[] {
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Call);
}

/** As the lab makes one for a CLI, without the CLI. */
function labHome(): LabHome {
  const folder = tempHome();
  const [home, cwd] = [join(folder, 'home'), join(folder, 'work')];
  for (const made of [home, cwd]) mkdirSync(made);
  return {
    ...{ folder, home, cwd, args: ['--permission-mode', 'default'] },
    cli: { argv: ['claude'], binFolder: folder, version: '2.1.325' } as unknown as LabHome['cli'],
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
