import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Advice that nobody can paste is half an advice: `signalbox restart` alone is refused, and so is
 * `signalbox stop <name>`. `test/integration/pasted-names` pastes what commands print; this finds
 * what that walk does not reach.
 */
test('a printed command line that is about an agent or a message names it', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const bare = files.flatMap((file) =>
    findBare(readFileSync(join('src', file), 'utf8')).map((line) => `src/${file}: ${line}`),
  );
  expect(bare).toEqual([]);
});

test.each([
  "'Fix it, then run `signalbox restart`.'",
  '`Then \\`signalbox rm\\` removes it.`',
  "'Stop one first (`signalbox stop <name>`).'",
  '`stop each with \\`signalbox stop NAME\\``',
  "return 'see signalbox status';",
])('one that does not is found: %s', (source) => {
  expect(findBare(source)).toHaveLength(1);
});

test.each([
  '`\\`signalbox restart $' + '{name}\\` starts it`',
  "'start them again with `signalbox restart --all`'",
  ' * what `signalbox status` shows.',
  '// As `signalbox stop` does.',
  "'Watch it with `signalbox logs`.'",
])('one that does, or is no advice, is let be: %s', (source) => {
  expect(findBare(source)).toEqual([]);
});

function findBare(source: string): readonly string[] {
  return source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^(\*|\/[*/])/.test(line) && bareForm.test(line))
    .filter((line) => !described.some((one) => line.includes(one)));
}

/** Each of these needs a name; `status` and `answer` are in descriptions of documents, too. */
const bareForm =
  /signalbox (?:stop|restart|rm|attach|output|status|send|answer|interrupt|cancel|explain)(?:\\?[`'"]| <| NAME|$)/;

/** What says what a command is for, and what a model fills in. */
const described = [
  '`signalbox answer` shows all of it',
  '`signalbox answer` can answer',
  'Watch its first messages with',
  "Answer: signalbox send NAME --reply-to ID '…'",
];
