import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { sweep } from '../../../src/demo/sweep.ts';
import { PageShell } from '../../pages/shell.ts';
import { makeProject } from '../../pages/world.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { openHome } from '../homes/home.ts';
import { openMockLlm } from '../mock-llm/server.ts';
import { inClosedNetwork } from '../network.ts';
import { pins } from '../versions.ts';
import { installFromClone } from './install.ts';
import { Screens } from './screens.ts';
import { walk } from './walk.ts';

/**
 * The first hour of a new user, on a terminal of 80 columns and 24 lines, with the real Claude Code
 * at its first start: the README's install line in a fresh clone, a first team, the questions it
 * asks, the answer, and the end. Prints each screen with the seconds since the first key.
 *
 *     npm run lab:walk [-- --markdown FILE]
 */
const { values } = parseArgs({ options: { markdown: { type: 'string' } } });
/** Where the program was installed: the network is closed after that. */
const placeName = 'SIGNALBOX_WALK_PLACE';

const before = process.env[placeName];
const place = before ?? realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-walk-')));
process.env[placeName] = place;
try {
  if (before === undefined) installFromClone(place);
  process.exitCode = await inClosedNetwork(main);
} finally {
  if (before === undefined) rmSync(place, { recursive: true, force: true, maxRetries: 5 });
}

async function main(): Promise<number> {
  const mock = await openMockLlm();
  const lab = openHome('claude-code', { mockUrl: mock.url, trust: 'ask' });
  const home = join(place, 'state');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const close = async (): Promise<void> => {
    const left = await sweep(home);
    lab.remove();
    await mock.close();
    if (left.length > 0) throw new Error(`still there: ${left.join(', ')}`);
  };
  endOnSignals(close);
  const cwd = makeProject(place);
  const path = [join(place, 'prefix', 'bin'), lab.env['PATH'] ?? ''].join(delimiter);
  const env = { ...lab.env, PATH: path, SIGNALBOX_HOME: home };
  try {
    const shell = await PageShell.open({ folder: place, cwd, env }, { columns: 80, rows: 24 });
    const screens = new Screens(shell);
    let trouble: string | undefined;
    try {
      await walk({ shell, screens, mock, home });
    } catch (error) {
      trouble = error instanceof Error ? error.message : String(error);
    } finally {
      await shell.close();
    }
    const text = screens.write({ place, about: describe(), trouble });
    process.stdout.write(text);
    if (values.markdown !== undefined) writeFileSync(values.markdown, text);
    return trouble === undefined ? 0 : 1;
  } finally {
    await close();
  }
}

function describe(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const load = loadavg()[0]?.toFixed(1);
  const tmux = execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim();
  return [
    new Date().toISOString().slice(0, 10),
    `signalbox at ${commit}`,
    `Claude Code ${pins['claude-code'].version}`,
    tmux,
    `Node ${process.versions.node}`,
    `${availableParallelism()} cores, load ${load}`,
  ].join(' · ');
}
