import { describe, expect, test } from 'vitest';
import { program } from '../support/cli.ts';
import { sweepList } from '../support/sweep.ts';
import { hasTmux } from '../support/tmux.ts';
import { openBox } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasCommand } from './fixtures/has-command.ts';
import { TypingShell } from './fixtures/typing-shell.ts';

const shells = sweepList(['bash', 'zsh', 'fish'] as const);

describe.each(shells)(
  'TAB in a real %s (left out where there is no such shell, or no tmux)',
  (shell) => {
    const isHere = hasTmux && hasCommand(shell);
    // bash lists what there is at the second one; the others take that for a choice.
    const list = shell === 'bash' ? ['Tab', 'Tab'] : ['Tab'];
    test.skipIf(!isHere)(
      'completes commands, options, their values, agents and files, without a word of its own',
      async () => {
        const box = await openBox();
        await box.ask('agents', 'add', 'worker-of-paint');
        await box.ask('agents', 'add', 'lead');
        const person = new TypingShell(shell, box.home);
        await person.see(/^ready>$/m);
        const cases: readonly [string, RegExp][] = [
          ['signalbox dead-let', /ready> signalbox dead-letters/],
          ['signalbox inbox dr', /ready> signalbox inbox drain/],
          ['signalbox send wor', /ready> signalbox send worker-of-paint/],
          ['signalbox send lead --ur', /ready> signalbox send lead --urgent/],
          ['signalbox send lead --wait inj', /ready> signalbox send lead --wait injected/],
          ['signalbox send lead --file br', /ready> signalbox send lead --file brief\.md/],
          ['signalbox launch --cwd no', /ready> signalbox launch --cwd notes\//],
          ['signalbox launch claude', /ready> signalbox launch claude-code/],
          ['signalbox config get termi', /ready> signalbox config get terminal/],
        ];
        for (const [typed, wanted] of cases) {
          await person.clear();
          person.type(typed);
          person.press('Tab');
          const screen = await person.see(wanted);
          // Nothing but the line itself: no error, no half of a message.
          expect(screen.trim().split('\n')).toHaveLength(1);
        }
        await person.clear();
        person.type('signalbox inbox ');
        person.press(...list);
        const offers = await person.see(/drain/);
        for (const word of ['list', 'show', 'drain', 'ack']) expect(offers).toContain(word);
        expect(offers).not.toMatch(/error|not found|bad |_signalbox:/i);
        await person.clear();
        person.type('signalbox send ');
        person.press(...list);
        expect(await person.see(/worker-of-paint/)).toContain('lead');
      },
    );
  },
);

test('TAB makes no ledger, starts no daemon, and prints nothing where it cannot look', async () => {
  const box = await openBox();
  const ended = await box.run(['__complete', 'send', '']);
  expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, '', '']);
  expect(await box.ask('doctor')).toMatchObject({ ledger: { exists: false } });
});

test('completion is also a document, makes no ledger, and knows three shells: exit 2 for others', async () => {
  const box = await openBox();
  const scripts = await Promise.all(
    ['bash', 'zsh', 'fish'].map((shell) =>
      box.ask<{ shell: string; script: string }>('completion', shell),
    ),
  );
  expect(scripts.map(({ shell }) => shell)).toEqual(['bash', 'zsh', 'fish']);
  for (const { script } of scripts) {
    expect(script).toContain('signalbox');
    expect(script).not.toContain(program);
  }
  expectFault(await box.run(['completion', 'tcsh', '--json']), 2, 'usage', /bash, zsh, fish/);
  expect(await box.ask('doctor')).toMatchObject({ ledger: { exists: false } });
});
