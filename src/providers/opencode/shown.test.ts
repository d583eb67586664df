import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../test/support/wait-for.ts';
import { expectShown, planShown, readShown } from './shown.ts';

let runFolder: string;
let dispose: (() => void) | undefined;

beforeEach(() => {
  runFolder = mkdtempSync(join(tmpdir(), 'signalbox-opencode-'));
});
afterEach(() => {
  dispose?.();
  dispose = undefined;
  rmSync(runFolder, { recursive: true, force: true });
});

test('the extension tells what the terminal shows, and what it shows next', async () => {
  const route: { current: object } = { current: { name: 'home' } };
  await start(route);
  expect(readShown(runFolder)).toEqual({ view: 'home' });
  route.current = { name: 'session', params: { sessionID: 'ses_a' } };
  const session = { view: 'session', session: 'ses_a' };
  await waitFor(() => expect(readShown(runFolder)).toEqual(session));
  route.current = { name: 'diff', params: { sessionID: 'ses_a' } };
  await waitFor(() => expect(readShown(runFolder)).toEqual({ view: 'other' }));
});

test('a conversation that was begun counts as shown until the terminal says otherwise', async () => {
  const route: { current: object } = { current: { name: 'home' } };
  await start(route);
  expectShown(runFolder)('ses_a');
  const awaited = { view: 'session', session: 'ses_a', isAwaited: true };
  expect(readShown(runFolder)).toEqual(awaited);
  route.current = { name: 'session', params: { sessionID: 'ses_a' } };
  const session = { view: 'session', session: 'ses_a' };
  await waitFor(() => expect(readShown(runFolder)).toEqual(session));
  // A person leaves it with /new.
  route.current = { name: 'home' };
  await waitFor(() => expect(readShown(runFolder)).toEqual({ view: 'home' }));
});

test('so does one that was begun before the extension had said its first word', async () => {
  const expectIt = expectShown(runFolder);
  await start({ current: { name: 'home' } });
  expectIt('ses_a');
  expect(readShown(runFolder)).toEqual({ view: 'session', session: 'ses_a', isAwaited: true });
});

test('rule 38: an OpenCode that the model starts in its shell does not speak for this one', async () => {
  const file = join(runFolder, 'shown.json');
  writeFileSync(file, JSON.stringify({ pid: process.ppid, view: 'session', session: 'ses_a' }));
  await start({ current: { name: 'home' } });
  expect(readShown(runFolder)).toEqual({ view: 'session', session: 'ses_a' });
});

test('nothing is known before it has begun, or from a file that says something else (O5)', () => {
  expect(readShown(runFolder)).toBeUndefined();
  for (const text of ['', '{', '[]', '{"view":"session"}', '{"view":7}']) {
    writeFileSync(join(runFolder, 'shown.json'), text);
    expect(readShown(runFolder)).toBeUndefined();
  }
});

test('it comes beside the user’s own settings of the terminal; those of a variable stay in force', () => {
  const { env, files } = planShown('/run/agt_1-1', {});
  expect(env).toEqual({ OPENCODE_TUI_CONFIG: '/run/agt_1-1/tui.json' });
  expect(JSON.parse(files[0]?.text ?? '')).toEqual({
    plugin: [['file:///run/agt_1-1/shown-plugin.mjs', { file: '/run/agt_1-1/shown.json' }]],
  });
  expect(planShown('/run/agt_1-1', { OPENCODE_TUI_CONFIG: '/mine' })).toEqual({
    env: {},
    files: [],
  });
});

async function start(route: { current: object }): Promise<void> {
  const plugin = planShown(runFolder, {}).files.find(({ path }) => path.endsWith('.mjs'));
  const path = join(runFolder, 'plugin.mjs');
  writeFileSync(path, plugin?.text ?? '');
  const module = (await import(pathToFileURL(path).href)) as {
    readonly default: { readonly tui: (api: object, options: object) => Promise<void> };
  };
  const lifecycle = {
    onDispose: (end: () => void) => {
      dispose = end;
    },
  };
  await module.default.tui({ route, lifecycle }, { file: join(runFolder, 'shown.json') });
}
