import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { scriptedAgent } from '../fakes/scripted-agent.ts';
import {
  composer,
  ended,
  idle,
  isBusy,
  isDrafting,
  isIdle,
  rule,
  submit,
} from '../fakes/scripted-agent-screens.ts';
import {
  openStage,
  type Sight,
  type Stage,
  type StageOptions,
} from '../fakes/scripted-agent-stage.ts';
import { hasCommand } from './fixtures/has-command.ts';

/**
 * The fake that the tests of terminals and statuses rest on: here it is held to its own promises,
 * in a real tmux.
 */
describe.skipIf(!hasCommand('tmux'))('the scripted agent', () => {
  test('an empty composer is `❯` between two rules, cursor at column 2, with the hint below', async () => {
    const { cursor, rows, title, isCursorShown } = await idle(openStage());
    const at = rows.indexOf('❯');
    expect(rows.slice(at - 1)).toEqual([rule(80), '❯', rule(80), ' ? for shortcuts']);
    expect({ cursor, title, isCursorShown }).toEqual({
      cursor: `2,${at}`,
      title: '✳ scripted agent',
      isCursorShown: true,
    });
  });

  test('a draft takes the hint away, even one of blanks alone, and Home moves only the cursor', async () => {
    const stage = openStage();
    await idle(stage);
    stage.type('  ');
    const blanks = await stage.waitFor('a draft of blanks', isDrafting);
    expect(composer(blanks)).toEqual({ row: '❯', cursorX: 4 });
    stage.type('日本x');
    const wide = await stage.waitFor('the draft', ({ text }) => text.includes('日本x'));
    expect(composer(wide)).toEqual({ row: '❯   日本x', cursorX: 9 });
    stage.press('Home');
    const home = await stage.waitFor(
      'the cursor at home',
      (sight) => composer(sight).cursorX === 2,
    );
    expect(isDrafting(home)).toBe(true);
    stage.press('C-u');
    await idle(stage);
  });

  test('a bracketed paste is a draft of several rows and no prompt until Enter', async () => {
    const stage = openStage();
    await idle(stage);
    stage.paste('@@say first\r\nsecond\tline\n');
    const draft = await stage.waitFor('the paste', isDrafting);
    expect(draft.text).toContain('❯ @@say first\n  second    line\n');
    expect(draft.text).not.toContain('●');
    stage.press('Enter');
    await stage.waitFor('the answer', (sight) => isIdle(sight) && sight.text.includes('● first'));
  });

  test('while it works it says so in spinner, footer and title; typed prompts queue, and are taken in order', async () => {
    const stage = openStage();
    await idle(stage);
    submit(stage, '@@hang @@say never');
    const busy = await stage.waitFor('work', isBusy);
    expect(busy.title).toBe('⠂ scripted agent');
    expect(busy.text).toMatch(/\n[·✢✳✶✻✽] Working…\n/);
    expect(composer(busy)).toEqual({ row: '❯', cursorX: 2 });
    submit(stage, '@@say second');
    submit(stage, 'third');
    stage.type('draft');
    await stage.waitFor('two in the queue', ({ text }) =>
      /\+ queued: @@say second\n {2}\+ queued: third\n/.test(text),
    );
    stage.press('Escape');
    const done = await stage.waitFor('the end of all three', ({ text }) => text.includes('● ok'));
    expect(done.text).toMatch(/ ⎿ interrupted\n\n> @@say second\n\n● second\n\n> third\n\n● ok\n/);
    expect(done.text).not.toContain('● never');
    expect(composer(await stage.waitFor('idle', isDrafting)).row).toBe('❯ draft');
  });

  test.each([
    ['permission', 'Do you want to proceed?', 'rm -r build'],
    ['trust', 'Do you trust the files in this folder?', '/somewhere'],
    ['question', 'Which way do you want to go?', 'left or right'],
  ])(
    'a %s dialog hides the composer, and Enter takes what is selected',
    async (kind, words, about) => {
      const stage = openStage();
      await idle(stage);
      submit(stage, `@@ask ${kind} ${about} @@say went on`);
      const dialog = await stage.waitFor('the dialog', ({ text }) => text.includes(words));
      expect(dialog.rows).toContain(`   ${about}`);
      expect(dialog.text).toMatch(/\n ❯ 1\. .*\n {3}2\. .*\n\n enter to confirm · esc to cancel$/);
      // The title says idle: only the screen tells the truth.
      expect({ ...dialog }).toMatchObject({ title: '✳ scripted agent', isCursorShown: false });
      expect(isIdle(dialog) || isBusy(dialog)).toBe(false);
      stage.press('Enter');
      expect((await idle(stage)).text).toContain('● went on');
    },
  );

  test('a refusal ends the turn, and distrust the program', async () => {
    const stage = openStage({ args: ['--start', '@@ask trust'] });
    const control = await stage.openControl();
    await stage.waitFor('the trust dialog', ({ text }) => text.includes('1. Yes, proceed'));
    stage.press('Enter');
    await idle(stage);
    const refused = control.tell('@@ask permission @@say never');
    await stage.waitFor('the permission dialog', ({ text }) => text.includes('2. No'));
    stage.press('Down', 'Enter');
    expect(await refused).toBe('refused');
    expect((await idle(stage)).text).not.toContain('● never');
    void control.tell('@@ask trust');
    await stage.waitFor('the trust dialog', ({ text }) => text.includes('2. No, exit'));
    stage.type('2');
    expect(await ended(stage)).toMatchObject({ exitCode: '1' });
  });

  test('a failed turn shows its error until the next turn begins', async () => {
    const stage = openStage();
    const control = await stage.openControl();
    expect(await control.tell('@@fail 529 overloaded')).toBe('failed: 529 overloaded');
    await stage.waitFor('the error', ({ rows }) => rows.includes('✗ API error: 529 overloaded'));
    expect(await control.tell('@@say better')).toBe('ok');
    const better = await stage.waitFor('the answer', ({ text }) => text.includes('● better'));
    expect(better.text).not.toContain('API error');
  });

  test('a directive that cannot be read fails the turn instead of being passed over', async () => {
    const control = await openStage().openControl();
    expect(await control.tell('@@work soon @@say x')).toBe(
      'failed: cannot read the directive @@work soon',
    );
  });

  test('never ready: the screen says Starting, and a prompt is not taken', async () => {
    const stage = openStage({ args: ['--start', '@@never-ready', 'hello'] });
    const control = await stage.openControl();
    stage.type('text');
    stage.press('Enter', 'Escape');
    expect(await control.tell('now @@title still here')).toBe('ok');
    const sight = await stage.waitFor('the title', ({ title }) => title === '✳ still here');
    expect(sight.rows).toEqual(['Starting…']);
  });

  test('it is started with exactly these arguments, and says what it was given', async () => {
    const tricky = `@@show argv "q" 'q' $HOME ;\n\\ end`;
    const stage = openStage({ args: ['--name', 'two words', tricky] });
    const sight = await stage.waitFor('the answer', ({ text }) => text.includes('●'));
    const [answer = ''] = /(?<=● ).*/.exec(stage.readHistory()) ?? [];
    expect(JSON.parse(answer)).toEqual(['--name', 'two words', tricky]);
    expect(sight.title).toContain('two words');
  });

  test('exit codes, signals, /exit and Ctrl-C twice end it as they should', async () => {
    const exits: readonly [StageOptions['args'], (stage: Stage) => void, Partial<Sight>][] = [
      [['--start', '@@exit 7'], () => undefined, { exitCode: '7' }],
      [['@@crash'], () => undefined, { exitSignal: '9' }],
      [[], (stage) => submit(stage, '/exit'), { exitCode: '0' }],
      [[], (stage) => stage.press('C-c', 'C-c'), { exitCode: '0' }],
      [[], ({ pid }) => process.kill(pid, 'SIGTERM'), { exitCode: '143' }],
    ];
    for (const [args = [], act, expected] of exits) {
      const stage = openStage({ args });
      if (args.length === 0) await idle(stage);
      act(stage);
      expect(await ended(stage)).toMatchObject(expected);
    }
  });

  test('without a terminal it refuses to start', () => {
    const [command = '', ...args] = scriptedAgent();
    const run = spawnSync(command, args, { encoding: 'utf8', input: '' });
    expect(run).toMatchObject({ status: 2, stderr: expect.stringContaining('needs a terminal') });
  });

  test('a streamed answer is whole and in order in the scrollback, and nothing of the live part is left in it', async () => {
    const stage = openStage({ rows: 12 });
    const control = await stage.openControl();
    expect(await control.tell('@@stream 500 lines 0ms')).toBe('ok');
    await stage.waitFor('the end', (now) => isIdle(now) && now.text.includes('line 500 of'));
    const history = stage.readHistory();
    const numbers = [...history.matchAll(/line (\d+) of 500/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
    expect(history.match(/^─+$/gm)).toHaveLength(2);
    expect(history).not.toContain('Working');
  });

  test('many short turns are each answered and shown, one after the other', async () => {
    const stage = openStage();
    const control = await stage.openControl();
    const turns = Array.from({ length: 200 }, (_, turn) => `@@say turn-${turn}-done`);
    for (const turn of turns) expect(await control.tell(turn)).toBe('ok');
    await stage.waitFor('the last', (now) => isIdle(now) && now.text.includes('turn-199-done'));
    const shown = [...stage.readHistory().matchAll(/● turn-(\d+)-done/g)].map(([, turn]) => turn);
    expect(shown).toEqual(turns.map((_, turn) => String(turn)));
  });

  test('after a resize the screen is whole at every size', async () => {
    const stage = openStage();
    const control = await stage.openControl();
    await control.tell(`@@say ${'word '.repeat(40)}`);
    for (const [columns, rows] of [
      [120, 40],
      [40, 10],
      [20, 5],
      [80, 24],
    ] as const) {
      stage.resize(columns, rows);
      // tmux reflows before we paint: only the whole of it tells that we have.
      const last = [rule(columns), '❯', rule(columns), ' ? for shortcuts'].join('\n');
      const sight = await stage.waitFor(`a screen of ${columns}×${rows}`, ({ text }) =>
        text.endsWith(last),
      );
      expect(composer(sight)).toEqual({ row: '❯', cursorX: 2 });
    }
  });

  test('on the alternate screen it shows the same and leaves no scrollback', async () => {
    const stage = openStage({ args: ['--alternate-screen'], rows: 12 });
    const control = await stage.openControl();
    expect(await control.tell('@@stream 50 lines 0ms')).toBe('ok');
    const sight = await stage.waitFor(
      'the end',
      (now) => isIdle(now) && now.text.includes('line 50 of'),
    );
    expect(sight.rows.slice(-6)).toEqual([
      '  line 50 of 50',
      '',
      rule(80),
      '❯',
      rule(80),
      ' ? for shortcuts',
    ]);
    expect(stage.readHistory()).not.toContain('line 1 of');
    void control.tell('@@exit');
    expect((await ended(stage)).text).not.toContain('shortcuts');
  });
});
