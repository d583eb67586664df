import { describe, expect, test } from 'vitest';
import { makePicture } from '../picture/make-picture.ts';
import { program } from '../support/cli.ts';
import { readSvg } from '../support/read-svg.ts';
import { hasCommand } from './fixtures/has-command.ts';

describe.runIf(hasCommand('tmux'))('npm run docs:picture', () => {
  test('makes a picture of a team at work from a run of the demo', {
    timeout: 900_000,
    tags: ['full'],
  }, async () => {
    const texts = readSvg(await makePicture(program, 10)).map(({ text }) => text);
    const shown = texts.join('\n');
    expect(shown).toMatch(/kill -9 \d+: worker-2, at work/);
    expect(shown).toMatch(/^supervisor$/m);
    expect(shown).toMatch(/worker-4/);
    expect(texts).toContain('processing');
    expect(shown).not.toContain('SIGNALBOX_HOME');
  });
});
