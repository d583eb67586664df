import { describe, expect, test } from 'vitest';
import { describeJudgement, judge, listScreens } from '../lab/record/judge.ts';
import { cliNames, pins } from '../lab/versions.ts';

/** Every screen that was ever recorded from a real CLI (E4). The file's name says what a detector must make of it. */
const recordings = listScreens();

describe.each(cliNames)('the detector of %s', (provider) => {
  const files = recordings.filter((file) => file.startsWith(`${provider}/`));

  test('is backed by recordings of the pinned version in two sizes', () => {
    const sizes = new Set(files.map((file) => file.split('/').slice(1, 3).join(' ')));
    const pinned = [...sizes].filter((size) => size.startsWith(`${pins[provider].version} `));
    expect(pinned.length).toBeGreaterThanOrEqual(2);
  });

  test('says what each recording is named after', async () => {
    const judged = await Promise.all(files.map(judge));
    const wrong = judged.filter(
      ({ isStatusRight, isComposerRight }) => !isStatusRight || !isComposerRight,
    );
    expect(wrong.map(describeJudgement)).toEqual([]);
  });

  test('never says idle while there is work or a question, nor calls a composer empty that is not (rule 24)', async () => {
    const judged = await Promise.all(files.map(judge));
    const dangerous = judged.filter(({ isWrongIdle, isWrongEmpty }) => isWrongIdle || isWrongEmpty);
    expect(dangerous.map(describeJudgement)).toEqual([]);
  });
});
