import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeJudgement, type Judgement, judge, listScreens } from './record/judge.ts';
import { rulesDigest } from './record/record.ts';

/**
 * `npm run lab:accuracy`: how often the detectors are right on screens they were not written from.
 * Only recordings of set b count, and of these only the ones that were made under the rules as they
 * are now: a rule that was mended after a recording has seen it.
 */
const judged = await Promise.all(listScreens().map((file) => judge(file)));
const setB = judged.filter(({ file }) => file.split('/')[2]?.startsWith('b-'));
const fresh = setB.filter(({ head }) => head.rules === rulesDigest(head.provider));
const seen = judged.filter((one) => !fresh.includes(one));

const day = new Date().toISOString().slice(0, 10);
const path = join('docs', 'results', `detectors-${day}.md`);
mkdirSync(join('docs', 'results'), { recursive: true });
const report = [
  `# Detectors, ${day}`,
  '',
  'Screens of real CLIs, recorded with their title and cursor while the state was proven by the mock model and the file',
  'system. *Fresh*: recorded after the rules were frozen, in other sizes than those the rules were written from, and in another',
  'theme where the lab sets one (not for Codex and OpenCode). *Seen*: the rules were written from them, or mended since. A wrong',
  'idle says "at rest" during work or a question; a wrong empty calls a composer empty that is not proven to be.',
  '',
  'What the fresh number does not say: it comes from the same scenarios as the seen one, so it measures other runs, sizes and',
  'themes, not states that nobody thought of. What a composer can be proven to be was decided when the rules were written. A',
  'recording that failed, or whose state had ended before it was taken, was made again.',
  '',
  '## Fresh',
  '',
  ...table(fresh),
  '',
  '## Seen',
  '',
  ...table(seen),
  '',
  '## Wrong, one by one',
  '',
  ...mistakes(judged),
  '',
].join('\n');
writeFileSync(path, report);
process.stdout.write(`${report}\n${path}\n`);
process.exitCode = judged.some(({ isWrongIdle, isWrongEmpty }) => isWrongIdle || isWrongEmpty)
  ? 1
  : 0;

function table(rows: readonly Judgement[]): readonly string[] {
  const names = [...new Set(rows.map(nameOf))];
  const providers = names.map(
    (name) => [name, rows.filter((row) => nameOf(row) === name)] as const,
  );
  return [
    '| provider | screens | status right | composer right | wrong idle | wrong empty |',
    '| --- | --- | --- | --- | --- | --- |',
    ...[...providers, ['all', rows] as const].map(
      ([name, some]) =>
        `| ${name} | ${some.length} | ${share(some, 'isStatusRight')} | ${share(some, 'isComposerRight')} | ${count(some, 'isWrongIdle')} | ${count(some, 'isWrongEmpty')} |`,
    ),
  ];
}

function nameOf({ head }: Judgement): string {
  return `${head.provider} ${head.version}`;
}

type Mark = 'isStatusRight' | 'isComposerRight' | 'isWrongIdle' | 'isWrongEmpty';

function count(rows: readonly Judgement[], mark: Mark): number {
  return rows.filter((row) => row[mark]).length;
}

function share(rows: readonly Judgement[], mark: Mark): string {
  if (rows.length === 0) return '–';
  const right = count(rows, mark);
  return `${right} (${((100 * right) / rows.length).toFixed(1)} %)`;
}

function mistakes(rows: readonly Judgement[]): readonly string[] {
  const wrong = rows.filter(
    ({ isStatusRight, isComposerRight }) => !isStatusRight || !isComposerRight,
  );
  return wrong.length === 0 ? ['None.'] : wrong.map((row) => `- ${describeJudgement(row)}`);
}
