import { describe, expect, test } from 'vitest';
import type { AttachView } from '../../src/protocol/terminals.ts';
import { program } from '../support/cli.ts';
import { NestedPerson } from '../support/nested-person.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';
import { ask } from './fixtures/telling.ts';

/** A person in a tmux of their own, who goes from one agent that waits to the next. */
describe.skipIf(!hasTmux)('attach', () => {
  const words = (...args: readonly string[]) => [process.execPath, program, 'attach', ...args];
  const open = (station: Station, columns = 80, rows = 24) =>
    NestedPerson.open(station.home, 'person', columns, rows, {
      SIGNALBOX_HOME: station.home,
      SIGNALBOX_DESKTOP_NOTIFICATIONS: 'off',
    });

  test('--next goes to each agent that waits, oldest first, and says how many still do', async () => {
    const station = await openStation();
    await ask(station, 'lead');
    await ask(station, 'ada');
    await station.launch('bob');
    const person = await open(station, 60, 20);
    person.run(words('--next'));
    await waitUntil('lead', () => person.line().includes('default/lead waiting'));
    expect(person.line()).toContain('1 other waits · Ctrl-] returns');
    // Nobody answers: it waits on, and the next one is next.
    person.press('C-]');
    expect(await person.isBack()).toBe(0);
    expect(person.look()).toContain('2 agents wait for you: lead, ada → signalbox attach --next');
    person.run(words('--next'));
    await waitUntil('ada', () => person.line().includes('default/ada waiting'));
    person.press('Enter');
    await waitUntil('the answer', () => person.line().includes('default/ada idle'));
    person.press('C-]');
    expect(await person.isBack()).toBe(0);
    await waitUntil('the tally', () =>
      person.look().includes('1 agent waits for you: lead → signalbox attach --next'),
    );
    person.run(words('--next'));
    await waitUntil('lead again', () => person.line().includes('default/lead waiting'));
    person.press('Enter');
    await station.untilStatus('lead', 'idle');
    person.press('C-]');
    await person.isBack();
    person.run(words('--next'));
    expect(await person.isBack()).toBe(3);
    expect(person.look().replace(/\s+/g, ' ')).toContain(
      'signalbox: No agent waits for you. Run `signalbox attention` to see what else needs you.',
    );
  });

  test('a key that is set while the person is attached is the one that leads back', async () => {
    const station = await openStation();
    await station.launch('lead');
    const person = await open(station);
    person.run(words('lead'));
    await waitUntil('lead', () => person.line().includes('Ctrl-] returns'));
    const said = await station.run(['config', 'set', 'attach-key', 'f9']);
    expect(said.code).toBe(0);
    await waitUntil('the new key', () => person.line().includes('F9 returns'));
    person.press('F9');
    expect(await person.isBack()).toBe(0);
  });

  test.each(['q', 'Ctrl-c', 'Ctrl-b', 'Enter', 'F13', 'Ctrl-] ; kill-server'])(
    '%j is refused as the key',
    async (key) => {
      const station = await openStation();
      const said = await station.run(['config', 'set', 'attach-key', key]);
      expect(said.code).toBe(2);
      expect(said.stderr).toContain('is no value for attach-key');
      expect(said.stderr).toContain('Give off, F1 to F12, or a key with Ctrl or Alt');
    },
  );

  test('--next prints the command alone with --json, and takes no name beside it', async () => {
    const station = await openStation();
    await ask(station, 'lead');
    expect(await station.ask<AttachView>('attach', '--next')).toMatchObject({
      agent: { name: 'lead' },
      kind: 'tmux',
    });
    const both = await station.run(['attach', 'lead', '--next']);
    expect([both.code, both.stderr]).toEqual([
      2,
      expect.stringContaining('`--next` chooses the agent itself. Give one agent, or `--next`'),
    ]);
    const none = await station.run(['attach']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('No agent is named.')]);
  });

  test('an agent is not let into any terminal, its own included', async () => {
    const station = await openStation();
    await station.launch('lead');
    for (const args of [['lead'], ['self'], ['--next']]) {
      const said = await station.runAs('lead', ['attach', ...args]);
      expect([args, said.code]).toEqual([args, args[0] === '--next' ? 3 : 5]);
    }
  });
});
