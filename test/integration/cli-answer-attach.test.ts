import { describe, expect, test } from 'vitest';
import { program } from '../support/cli.ts';
import { NestedPerson } from '../support/nested-person.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux, openStation } from './fixtures/station.ts';
import { ask } from './fixtures/telling.ts';

/** A question that no channel of its CLI answers: the person is taken to it, and comes back. */
describe.skipIf(!hasTmux)('rule 54: `answer` without a channel', () => {
  test.each([
    [60, 20],
    [80, 24],
  ])(
    'goes to the terminal at %ix%i, and comes back with the question answered or open',
    async (columns, rows) => {
      const station = await openStation();
      await ask(station, 'lead');
      const person = await NestedPerson.open(station.home, 'person', columns, rows, {
        SIGNALBOX_HOME: station.home,
        SIGNALBOX_DESKTOP_NOTIFICATIONS: 'off',
      });
      const answer = [process.execPath, program, 'answer', 'lead'];
      const flat = () => person.look().replace(/\s+/g, ' ');
      person.run(answer);
      await waitUntil('its terminal', () => person.line().includes('default/lead waiting'));
      // Nobody answers: it waits on, and the way there is told again.
      person.press('C-]');
      expect(await person.isBack()).toBe(0);
      expect(flat()).toContain('signalbox: "lead" asks what only its terminal can answer');
      expect(flat()).toContain('1 agent waits for you: lead → signalbox attach --next');
      expect((await station.agent('lead')).status).toBe('waiting');
      person.run(answer);
      await waitUntil('its terminal', () => person.line().includes('default/lead waiting'));
      person.press('Enter');
      await waitUntil('the answer', () => person.line().includes('default/lead idle'));
      person.press('C-]');
      expect(await person.isBack()).toBe(0);
      person.run(answer);
      expect(await person.isBack()).toBe(1);
      expect(flat()).toContain('"lead" asks nothing now; it is idle.');
    },
  );

  test('says in a script how a person gets there, and goes nowhere', async () => {
    const station = await openStation();
    await ask(station, 'lead');
    const said = await station.run(['answer', 'lead']);
    expect([said.code, said.stderr]).toEqual([
      5,
      expect.stringMatching(
        /asks what only its terminal can answer: .*\? Go there.*`signalbox attach lead`/s,
      ),
    ]);
    expect((await station.agent('lead')).status).toBe('waiting');
  });
});
