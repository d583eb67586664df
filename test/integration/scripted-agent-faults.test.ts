import { describe, expect, test } from 'vitest';
import { composer, idle, isDrafting, isIdle, rule } from '../fakes/scripted-agent-screens.ts';
import { isAlive, openStage, waitUntil } from '../fakes/scripted-agent-stage.ts';
import { hasCommand } from './fixtures/has-command.ts';

/** Bad habits, which the backend and the daemon must live with. */
describe.skipIf(!hasCommand('tmux'))('a scripted agent that misbehaves', () => {
  test.each(['@@garbage 200kb', '@@long-line 1mb', '@@flood 2mb', '@@flood 20kb at 100kb/s'])(
    'after %s its screen is whole again',
    async (directive) => {
      const stage = openStage();
      const control = await stage.openControl();
      expect(await control.tell(`${directive} @@say afterwards`)).toBe('ok');
      const sight = await stage.waitFor(
        'the end',
        (now) => isIdle(now) && now.text.includes('● afterwards'),
      );
      expect(sight.rows.slice(-6)).toEqual([
        '● afterwards',
        '',
        rule(80),
        '❯',
        rule(80),
        ' ? for shortcuts',
      ]);
      expect(composer(sight)).toEqual({ row: '❯', cursorX: 2 });
      // It still takes keys as keys.
      stage.type('typed');
      expect(composer(await stage.waitFor('the draft', isDrafting)).row).toBe('❯ typed');
    },
  );

  test('1 MB without a new line is one line', async () => {
    const stage = openStage();
    await (await stage.openControl()).tell('@@long-line 1mb @@say afterwards');
    await stage.waitFor('the end', ({ text }) => text.includes('● afterwards'));
    const longest = Math.max(
      ...stage
        .readHistory()
        .split('\n')
        .map((line) => line.length),
    );
    expect(longest).toBe(1_000_000);
  });

  test('an endless flood ends with Escape', async () => {
    const stage = openStage();
    const control = await stage.openControl();
    const flooding = control.tell('@@flood');
    await stage.waitFor(
      'the flood',
      ({ rows }) => rows.filter((row) => /^(yes ?)+$/.test(row)).length > 20,
    );
    stage.press('Escape');
    expect(await flooding).toBe('interrupted');
    await idle(stage);
  });

  test('it survives a hangup when told to, and so does its child', async () => {
    const stage = openStage();
    const control = await stage.openControl();
    await control.tell('@@ignore hup term @@spawn-child detached');
    const { text } = await stage.waitFor('its child', (now) => /● child \d+\n/.test(now.text));
    const child = Number(/● child (\d+)/.exec(text)?.[1]);
    try {
      stage.closeTerminal();
      process.kill(stage.pid, 'SIGTERM');
      process.kill(child, 'SIGTERM');
      process.kill(child, 'SIGHUP');
      // Its control still answers, so it lives; the signals before that were delivered.
      expect(await control.tell('now @@say still here')).toBe('ok');
      expect([stage.pid, child].filter(isAlive)).toEqual([stage.pid, child]);
    } finally {
      process.kill(child, 'SIGKILL');
    }
    await waitUntil('the end of the child', () => !isAlive(child));
  });

  test('it ends with its terminal when it was not told to survive', async () => {
    const stage = openStage();
    await idle(stage);
    stage.closeTerminal();
    await waitUntil('its end', () => !isAlive(stage.pid));
  });

  test('an interrupt closes a dialog unanswered, and what was queued goes on', async () => {
    const stage = openStage();
    const control = await stage.openControl();
    const [asked, next] = [control.tell('@@ask question @@say never'), control.tell('@@say next')];
    await stage.waitFor('the dialog', ({ text }) => text.includes('1. The short way'));
    const other = await stage.openControl();
    expect(await other.tell('interrupt')).toBe('ok');
    expect([await asked, await next]).toEqual(['interrupted', 'ok']);
    const { text } = await stage.waitFor('the answer', (now) => now.text.includes('● next'));
    expect(text).not.toContain('● never');
  });

  test('every byte written into its terminal can be watched', async () => {
    const stage = openStage();
    const control = await stage.openControl();
    let seen = '';
    await control.watchInput((bytes) => {
      seen += bytes.toString('latin1');
    });
    stage.press('-H', '61', '1b', '5b', '41', 'c3', 'a9', '0d');
    await waitUntil('the bytes', () => seen === 'a\x1b[A\xc3\xa9\r');
  });
});
