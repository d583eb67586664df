import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { InterruptView } from '../../src/protocol/interrupt.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { openPerson, type Person } from '../support/person.ts';
import { waitUntil } from '../support/wait-until.ts';
import { launchClaude } from './fixtures/living-claude.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

const escapeKey = '\x1b';

/** `signalbox interrupt` from the command line to the program's input, in a real tmux. */
async function open(spinner = 'esc') {
  const station = await openStation({ more: { FAKE_SPINNER: spinner } });
  const claude = await launchClaude(station, 'lead');
  const person = await openPerson(station.home);
  return { station, claude, person };
}

/** Its daemon stops at that place of the first interruption, until `go`. */
async function openHeld(place: string, spinner = '1') {
  const station = await openStation({ more: { FAKE_SPINNER: spinner } });
  const held = join(station.home, 'held');
  mkdirSync(held);
  const env = { SIGNALBOX_FAILPOINTS: `${place}=hold`, SIGNALBOX_FAILPOINT_DIR: held };
  await station.run(['up'], { env });
  const claude = await launchClaude(station, 'lead');
  const person = await openPerson(station.home);
  return {
    ...{ station, claude, person },
    isHeld: () => waitUntil(place, () => readdirSync(held).length > 0, 120_000),
    go: () => {
      for (const file of readdirSync(held)) rmSync(join(held, file));
    },
  };
}

async function ask(person: Person, ...words: readonly string[]) {
  return person.type(['interrupt', 'lead', ...words]);
}

describe.skipIf(!hasTmux)('interrupt', () => {
  test('rules 45, 54: its user ends the turn that runs with one Esc, and is told what waits', async () => {
    const { station, claude, person } = await open();
    await claude.prompts();
    await station.run(['send', 'lead', 'for later']);
    const { code, screen } = await ask(person);
    expect([code, screen]).toEqual([0, expect.stringContaining('lead stopped.')]);
    expect(claude.keys()).toBe(escapeKey);
    expect(claude.copies('the answer to a prompt')).toBe(0);
    // It counts as a person's key there.
    const { status } = await station.agent('lead');
    expect(['idle', 'completed', 'processing']).toContain(status);
    // And the message goes in by itself.
    await waitUntil('the message', () => claude.copies('for later') === 1, 120_000);
  });

  test('--json says how it was done, and what became of what the turn held', async () => {
    const { claude, person } = await open();
    await claude.prompts();
    const { code, screen } = await ask(person, '--json');
    expect(code).toBe(0);
    const done = JSON.parse(screen) as InterruptView;
    expect(done).toMatchObject({ name: 'lead', by: 'keys', presses: 1, messages: [], waiting: 0 });
    expect(['idle', 'completed']).toContain(done.status);
  });

  test('at rest it is refused, and no key is pressed', async () => {
    const { claude, person } = await open();
    const { code, screen } = await ask(person);
    expect([code, screen]).toEqual([5, expect.stringContaining('"lead" is at rest')]);
    expect(screen).toContain('no turn of it runs');
    expect(claude.keys()).toBe('');
  });

  test('rule 54: a script and an agent may not, and the turn goes on', async () => {
    const { station, claude } = await open();
    await claude.prompts();
    const script = await station.run(['interrupt', 'lead']);
    expect([script.code, script.stderr]).toEqual([
      5,
      expect.stringContaining('Only the user at a terminal may interrupt an agent'),
    ]);
    const agent = await station.run(['interrupt', 'lead'], { env: { SIGNALBOX_AGENT: 'lead' } });
    expect(agent.code).toBe(5);
    expect(claude.keys()).toBe('');
    expect((await station.agent('lead')).status).toBe('processing');
  });

  test('rule 45: a person who scrolls there is not disturbed, and the reason is said', async () => {
    const { station, claude, person } = await open();
    await claude.prompts();
    const { pane } = await station.pane('lead');
    await station.tmux('copy-mode', '-t', pane);
    const { code, screen } = await ask(person);
    expect([code, screen]).toEqual([5, expect.stringContaining('a person scrolls in its')]);
    expect(claude.keys()).toBe('');
  });

  test('rule 45: a turn that ends by itself between the look and the key gets none', async () => {
    const { station, claude, person, isHeld, go } = await openHeld('interrupt.seen');
    await claude.prompts();
    const asking = ask(person);
    await isHeld();
    await claude.ends();
    await station.until('lead', ({ status }) => status !== 'processing');
    go();
    const { code, screen } = await asking;
    expect([code, screen]).toEqual([5, expect.stringContaining('is at rest')]);
    expect(claude.keys()).toBe('');
  });

  test('a program that stays at work is told of honestly, after one key', async () => {
    const { claude, person } = await open('deaf');
    await claude.prompts();
    const { code, screen } = await ask(person, '--timeout', '2s');
    expect([code, screen]).toEqual([4, expect.stringContaining('nothing has shown within 2s')]);
    expect(screen).toContain('got Esc once');
    expect(claude.keys()).toBe(escapeKey);
  });

  test('rules 22, 51d: the key is a person’s for the next daemon, too', async () => {
    const { station, claude, person } = await open();
    await claude.prompts();
    expect((await ask(person)).code).toBe(0);
    const pressed = (await station.agent('lead')).humanTypedAt;
    expect(pressed).toBeDefined();
    await station.killDaemon();
    await station.run(['up']);
    const { humanTypedAt } = await station.until(
      'lead',
      (agent) => agent.humanTypedAt !== undefined,
    );
    expect(Date.parse(humanTypedAt ?? '')).toBeGreaterThan(Date.parse(pressed ?? '') - 2000);
  });

  test('rule 54: `status` says who ended its turn, when, from where and how', async () => {
    const { station, claude, person } = await open();
    await claude.prompts();
    expect((await ask(person)).code).toBe(0);
    const [one, ...others] = (await station.agent('lead')).interruptions ?? [];
    expect(others).toEqual([]);
    expect(one).toMatchObject({ outcome: 'ended', way: 'keys', presses: 1, place: 'terminal' });
    expect(one?.who).toMatch(/^\S+ at \/dev\/pts\/\d+$/);
    const { stdout } = await station.run(['status', 'lead']);
    expect(stdout).toMatch(
      /interrupted +the user \(\S+ at \/dev\/pts\/\d+\) ended its turn, by Esc/,
    );
    // Another agent does not read the user's account and terminal.
    await station.run(['agents', 'add', 'ann']);
    const env = { SIGNALBOX_AGENT: 'ann' };
    const seen = await station.run(['status', 'lead', '--json'], { env });
    expect(seen.stdout).not.toContain('/dev/pts');
  });

  test('rule 54: one that is refused before anything was looked at leaves no row', async () => {
    const { station, person } = await open();
    expect((await ask(person)).code).toBe(5);
    expect((await station.agent('lead')).interruptions).toBeUndefined();
  });

  test('rule 45: two persons at once press one Esc, and the second is told so', async () => {
    const { station, claude, person, isHeld, go } = await openHeld('interrupt.noted');
    await claude.prompts();
    const first = ask(person);
    await isHeld();
    const other = await ask(await openPerson(station.home));
    expect([other.code, other.screen]).toEqual([5, expect.stringContaining('is being ended')]);
    go();
    expect((await first).code).toBe(0);
    expect(claude.keys()).toBe(escapeKey);
    expect((await station.agent('lead')).interruptions).toHaveLength(1);
  });

  test('rule 45: where the person’s own Esc came first, no second one follows', async () => {
    const { station, claude, person, isHeld, go } = await openHeld('interrupt.noted');
    await claude.prompts();
    const asking = ask(person);
    await isHeld();
    const { pane } = await station.pane('lead');
    await station.tmux('send-keys', '-t', pane, 'Escape');
    await station.until('lead', ({ status }) => status !== 'processing');
    go();
    const { code, screen } = await asking;
    expect([code, screen]).toEqual([5, expect.stringContaining('is at rest')]);
    expect(claude.keys()).toBe(escapeKey);
    const [one] = (await station.agent('lead')).interruptions ?? [];
    expect(one).toMatchObject({ outcome: 'refused', presses: 0 });
    expect(one?.reason).toContain('is at rest');
  });

  test.each([
    ['interrupt.noted', ''],
    ['interrupt.done', escapeKey],
  ])(
    'rules 45, 54: killed at %s, it is in the history, and nothing is pressed again',
    async (place, keys) => {
      const { station, claude, person, isHeld } = await openHeld(place, 'deaf');
      await claude.prompts();
      const asking = ask(person, '--timeout', '20s');
      await isHeld();
      await station.killDaemon();
      const { code, screen } = await asking;
      expect([code, screen]).toEqual([expect.any(Number), expect.stringContaining('signalbox')]);
      expect(code).not.toBe(0);
      await station.run(['up']);
      const { interruptions = [] } = await station.until(
        'lead',
        (agent) => agent.status === 'processing' && agent.interruptions !== undefined,
      );
      expect(interruptions).toMatchObject([{ outcome: 'unknown', presses: 0 }]);
      expect(interruptions[0]?.reason).toContain('the daemon ended');
      expect(claude.keys()).toBe(keys);
      // Asked for once more, by the person, it is done.
      const again = await ask(person, '--timeout', '2s');
      expect([again.code, claude.keys()]).toEqual([4, `${keys}${escapeKey}`]);
    },
  );

  test('rules 9, 45: killed behind the key, the next daemon presses none, and knows that the turn was broken off', async () => {
    const station = await openStation({ more: { FAKE_SPINNER: 'esc' } });
    await station.run(['up'], { env: { SIGNALBOX_FAILPOINTS: 'interrupt.done=kill' } });
    const { pid, startedAt } = station.daemon();
    const claude = await launchClaude(station, 'lead');
    const person = await openPerson(station.home);
    await claude.prompts();
    const { code } = await ask(person);
    expect(code).not.toBe(0);
    await waitUntil('the end of the daemon', () => readStartTime(pid) !== startedAt, 120_000);
    await station.run(['up']);
    const lead = await station.until('lead', ({ status }) =>
      ['idle', 'completed'].includes(status),
    );
    expect(lead).toHaveProperty('humanTypedAt');
    // Whoever asked asks again: nothing runs, and nothing is pressed.
    const again = await ask(person);
    expect([again.code, again.screen]).toEqual([5, expect.stringContaining('is at rest')]);
    expect(claude.keys()).toBe(escapeKey);
  });

  test('a program that nobody knows is not interrupted, and the way out is named', async () => {
    const station = await openStation();
    const agent = await station.launch('ada');
    const person = await openPerson(station.home);
    await station.run(['send', 'ada', '@@hang']);
    await station.untilStatus('ada', 'processing');
    const { code, screen } = await person.type(['interrupt', agent.name]);
    expect([code, screen]).toEqual([5, expect.stringContaining('Nobody has tried how a turn of')]);
    expect(screen).toContain('signalbox attach ada');
  });

  test.each([['0s'], ['51s'], ['soon']])('--timeout %s is a mistake', async (span) => {
    const station = await openStation();
    const ended = await station.run(['interrupt', 'lead', '--timeout', span]);
    expect(ended.code).toBe(2);
  });
});
