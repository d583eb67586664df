import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { sweep } from '../../../src/demo/sweep.ts';
import { makeProject, type PageWorld, quote, writeProgram } from '../../pages/world.ts';
import { openHome } from '../homes/home.ts';
import { openMockLlm } from '../mock-llm/server.ts';
import type { CliName } from '../versions.ts';

/**
 * The CLIs themselves, in a home that is logged in, at a folder that none of them has been asked
 * about yet. Their model is the mock.
 */
export async function openRealWorld(
  program: string,
  name: CliName,
  besides: readonly CliName[],
): Promise<PageWorld> {
  const mock = await openMockLlm();
  const lab = openHome(name, { mockUrl: mock.url, trust: 'ask', besides });
  const [home, bin] = [join(lab.folder, 'state'), join(lab.folder, 'bin')];
  for (const made of [home, bin]) mkdirSync(made, { mode: 0o700 });
  writeProgram(join(bin, 'signalbox'), `exec ${quote(process.execPath)} ${quote(program)} "$@"\n`);
  const path = [bin, lab.env['PATH'] ?? ''].join(delimiter);
  return {
    folder: lab.folder,
    home,
    cwd: makeProject(lab.folder),
    env: { ...lab.env, PATH: path, SIGNALBOX_HOME: home },
    trust: (provider) => yes[provider] ?? ['Enter'],
    close: async () => {
      const left = await sweep(home);
      lab.remove();
      await mock.close();
      if (left.length > 0) throw new Error(`still there: ${left.join(', ')}`);
    },
  };
}

/** Where the first choice is another one: Claude Code 2.1.325 (no), Copilot 1.0.102 (this once). */
const yes: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['Down', 'Enter'],
  copilot: ['Down', 'Enter'],
};
