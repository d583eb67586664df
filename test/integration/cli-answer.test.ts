import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentQuestions } from '../../src/protocol/questions.ts';
import { openPerson } from '../support/person.ts';
import { waitUntil } from '../support/wait-until.ts';
import { launchClaude } from './fixtures/living-claude.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

describe.skipIf(!hasTmux)('rule 54: a person is shown what an agent asks, and answers it', () => {
  test('with the keys that come after it was drawn; all else leaves it', async () => {
    const station = await openStation();
    const claude = await launchClaude(station, 'lead');
    const person = await openPerson(station.home);
    const asks = async (command: string): Promise<string> => {
      await claude.asks(command);
      const isAsked = async () =>
        (await station.agent('lead')).questions?.some(({ text }) => text.includes(command));
      await waitUntil('its question', async () => (await isAsked()) === true);
      return (await station.agent('lead')).questions?.[0]?.id ?? '';
    };
    const first = await asks('make \u001b[2J all');
    // Typed before the question stands there: it answers nothing.
    const held = join(station.home, 'held');
    mkdirSync(held);
    const env = { SIGNALBOX_FAILPOINTS: 'answer.asking=hold', SIGNALBOX_FAILPOINT_DIR: held };
    const left = await person.type(['answer', 'lead'], [''], {
      env,
      before: async (keys) => {
        await waitUntil('what it asks', async () => readdirSync(held).length > 0 || undefined);
        await keys('a\n');
        for (const name of readdirSync(held)) rmSync(join(held, name));
      },
    });
    expect(left.screen).toContain(`lead asks to run a command (${first})`);
    expect(left.screen).toContain('command: make <U+001B>[2J all');
    expect([left.code, left.screen]).toEqual([0, expect.stringContaining('nothing was answered')]);
    const denied = await person.type(['answer', 'lead'], ['d']);
    expect(denied.screen).toContain(`lead: ${first} is denied`);
    expect(claude.copies('denied make')).toBe(1);
    const second = await asks('make it');
    const allowed = await person.type(['answer', 'lead', second], ['a']);
    expect(allowed.screen).toContain(`lead: ${second} is allowed once`);
    expect(claude.copies('allowed make it')).toBe(1);
    const late = await person.type(['answer', 'lead', second, 'allow']);
    expect([late.code, late.screen]).toEqual([1, expect.stringContaining('nothing was done')]);
  });

  test.each([
    [60, 20],
    [80, 24],
  ])(
    'at %ix%i a long one has its beginning, its end and the prompt on the screen, and is allowed once all was shown',
    async (columns, rows) => {
      const station = await openStation();
      const claude = await launchClaude(station, 'lead');
      const person = await openPerson(station.home, columns, rows);
      const middle = Array.from({ length: 200 }, (_, i) => `echo step ${i} \u202e`);
      await claude.asks(['set -e', ...middle, `rm -r ${'x'.repeat(3000)}`, 'echo last'].join('\n'));
      await waitUntil('its question', async () => (await station.agent('lead')).questions?.length);
      const prompt = /(?:\[(?:[ads]\/)+L\]|--)$/;
      const left = await person.type(['answer', 'lead'], ['a', 's', '', 'a', 'L'], { prompt });
      const [first = [], again = [], page = []] = left.asked;
      for (const view of [first, again]) {
        expect(view).toHaveLength(rows);
        expect(view[0]).toMatch(/^lead asks to run a command \(q[a-z]{6}\):$/);
        expect(view[1]).toBe('  tool: Bash');
        expect(view.join('\n')).toMatch(/^-- \d+ rows \([\d,]+ characters\) are not shown/m);
        expect(view.at(-1)).toBe('Deny, show all, or leave it? [d/s/L]');
      }
      expect(first.at(-2)).toBe('      echo last');
      expect(again.slice(-3, -1)).toEqual([
        '      echo last',
        'You have not seen all of it yet: s shows it.',
      ]);
      expect(page.join('\n')).toContain('echo step 3 <U+202E>');
      expect(page.at(-1)).toBe(`-- rows 1-${rows - 1} of ${totalOf(page)}; Enter shows more --`);
      // What was typed at a page decides nothing, and leaves the pages before their end.
      expect(left.asked[4]?.at(-1)).toBe('Deny, show all, or leave it? [d/s/L]');
      expect(left.screen).toContain('nothing was answered');
      expect(claude.copies('allowed')).toBe(0);
      const turns = Array.from({ length: Math.ceil(totalOf(page) / (rows - 1)) }, () => '');
      const allowed = await person.type(['answer', 'lead'], ['s', ...turns, 'a'], { prompt });
      const all = allowed.asked.slice(1, -1).flatMap((view) => view.slice(-rows, -1));
      for (let i = 0; i < 200; i++) expect(all.join('\n')).toContain(`echo step ${i} <U+202E>`);
      expect(allowed.asked.at(-1)?.slice(-3)).toEqual([
        '      echo last',
        'You have seen all of it.',
        'Allow once, deny, show all, or leave it? [a/d/s/L]',
      ]);
      expect(allowed.screen).toContain('is allowed once');
    },
  );

  test('a script is shown it with the next step, and may not answer', async () => {
    const station = await openStation();
    const claude = await launchClaude(station, 'lead');
    await claude.asks('make');
    await waitUntil('its question', async () => (await station.agent('lead')).questions?.length);
    const shown = await station.run(['answer', 'lead', '--json']);
    const { questions } = JSON.parse(shown.stdout) as AgentQuestions;
    const id = questions[0]?.id ?? '';
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining(`lead ${id} allow`)]);
    expect((await station.run(['answer', 'lead', id, 'allow'])).code).toBe(5);
    const unnamed = await station.run(['answer', 'lead', 'allow']);
    expect([unnamed.code, unnamed.stderr]).toEqual([
      2,
      expect.stringContaining('names no question'),
    ]);
    expect((await station.agent('lead')).questions?.[0]?.id).toBe(id);
  });
});

/** As a page says it. */
function totalOf(page: readonly string[]): number {
  return Number(/of (\d+);/.exec(page.at(-1) ?? '')?.[1]);
}
