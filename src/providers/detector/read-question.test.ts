import { expect, test } from 'vitest';
import { readQuestion } from './read-question.ts';

test('rule 48: a question is the sentence nearest above the choices, also where it is wrapped', () => {
  const lines = [
    '● I wonder: is this a question of the model?',
    '────────────────────────',
    ' Accessing workspace:',
    ' /home/work',
    '',
    ' Quick safety check: Is this a project you',
    ' created or one you trust? (Like your own code). If not, look first.',
    '',
    ' Security guide',
    '',
    ' ❯ No, exit',
    '   Yes, I trust this folder',
    '',
    ' Enter to confirm · Esc to cancel',
  ];
  expect(readQuestion(lines)).toBe(
    'Quick safety check: Is this a project you created or one you trust?',
  );
});

test('rule 48: a question that does not say what it is about gets the command beside it', () => {
  const claude = [
    '╌╌╌╌',
    ' touch began',
    '╌╌╌╌',
    ' Do you want to proceed?',
    ' ❯ 1. Yes',
    '   2. No',
  ];
  expect(readQuestion(claude)).toBe('Do you want to proceed? touch began');
  const codex = [
    '  Would you like to run the following command?',
    '',
    '  Reason: May I?',
    '',
    '  $ touch began',
    '',
    '› 1. Yes, proceed (y)',
    '  2. No',
  ];
  expect(readQuestion(codex)).toBe('Would you like to run the following command? touch began');
  const opencode = [
    '  ┃  △ Permission required',
    '  ┃    # Shell command',
    '  ┃',
    '  ┃  $ touch began',
    '  ┃',
    '  ┃   Allow once   Allow always   Reject',
  ];
  expect(readQuestion(opencode)).toBe('Permission required: Shell command touch began');
});

test('a question is bounded, and a screen without one has none', () => {
  const long = `Do you want to create ${'x'.repeat(500)}?`;
  expect([...(readQuestion([long, '❯ 1. Yes']) ?? '')]).toHaveLength(200);
  expect(readQuestion(['Settings', '', '❯ Theme', '  Model'])).toBeUndefined();
  expect(readQuestion([])).toBeUndefined();
});

test('rule 48: a question right above its choices is found, and a remark beside it is not its subject', () => {
  // Claude Code 2.1.325 in auto mode, where its gateway does not pass the safety check through.
  const lines = [
    ' Bash command',
    ' Run shell command',
    '╌╌╌╌',
    ' touch made-by-test',
    '╌╌╌╌',
    " │ Auto mode can't check actions in this session, so this one needs your",
    ' │ approval',
    '',
    ' Do you want to proceed?',
    ' ❯ No',
    '   Yes',
    '',
    ' Esc to cancel · Tab to amend',
  ];
  expect(readQuestion(lines)).toBe('Do you want to proceed? touch made-by-test');
});
