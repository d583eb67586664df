import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { launchRequest } from '../../../test/support/launch-request.ts';
import { planLaunch } from './launch.ts';
import { putUp } from './put-up.ts';

let runFolder = '';
beforeEach(() => {
  runFolder = mkdtempSync(join(tmpdir(), 'signalbox-codex-'));
});
afterEach(() => rmSync(runFolder, { recursive: true, force: true }));

const note = (): string => join(runFolder, 'app-server.json');

test('rule 53: an app-server that ended is started again exactly as it was', async () => {
  const wish = { executablePath: '/bin/codex', version: '0.166.0', runFolder };
  const extraArgs = ['-c', 'a="x y"', '--enable', 'z'];
  const { helpers, files } = planLaunch({ ...launchRequest(wish), extraArgs });
  for (const { path, text } of files) writeFileSync(join(runFolder, path), text);
  expect(await putUp({ runFolder })).toEqual({ outcome: 'start', helper: helpers[0] });
});

test.each([
  ['nothing', undefined],
  ['half a note', '{"argv":["/bin/co'],
  ['no words', '{"argv":[]}'],
  ['something else', '{"argv":["/bin/codex",7]}'],
])(
  'rule 53: where %s says how it was started, that is said, and nothing is started',
  async (_, text) => {
    if (text !== undefined) writeFileSync(note(), text);
    expect(await putUp({ runFolder })).toMatchObject({
      outcome: 'cannot',
      why: expect.stringContaining('restart the agent'),
    });
  },
);
