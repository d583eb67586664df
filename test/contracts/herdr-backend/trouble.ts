import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, onTestFinished, type TestOptions, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/shared/clock.ts';
import { readStartTime } from '../../../src/shared/processes.ts';
import type { Backend } from '../../../src/terminals/backend.ts';
import type { Terminal } from '../../../src/terminals/terminal.ts';
import { ask } from '../../fakes/herdr/cli/client.ts';
import { type HerdrWorld, openHerdrWorld } from '../../support/herdr.ts';
import { type HerdrVersion, realHerdr, type Vars } from '../../support/install-herdr.ts';
import { sweep } from '../../support/sweep.ts';
import { hasTmux } from '../../support/tmux.ts';
import { waitUntil } from '../../support/wait-until.ts';

export type Json = Record<string, unknown>;

type Body = (world: HerdrWorld, version: HerdrVersion) => Promise<void>;
interface Check {
  (name: string, body: Body): void;
  (name: string, options: TestOptions, body: Body): void;
}
/** `onlyFake`: what no real herdr does on demand. */
export type Checks = { readonly check: Check; readonly onlyFake: Check };

/** The fake's terminals are tmux's; a real one is tested in the version it has. */
const isThere = hasTmux || realHerdr !== undefined;

/** For tests that take both also in `npm test`. */
export const bothVersions: readonly HerdrVersion[] = ['0.8.0', '0.6.8'];

/**
 * Each test in a herdr of its own, in the versions that are to be had; in `npm test` in the newest.
 */
export function withHerdr(
  title: string,
  define: (tests: Checks, version: HerdrVersion) => void,
  versions: readonly HerdrVersion[] = sweep(bothVersions, ['0.8.0']),
  { vars = {}, session = 'signalbox' }: { readonly vars?: Vars; readonly session?: string } = {},
): void {
  const wanted = realHerdr === undefined ? versions : versions.slice(0, 1);
  describe.each(wanted)(`${title} (herdr %s)`, (version) => {
    const run = (isOn: boolean): Check => {
      return (name: string, ...how: [Body] | [TestOptions, Body]) => {
        const [options, body] = how.length === 1 ? [{}, ...how] : how;
        test.skipIf(!isOn)(name, options, async () =>
          body(await openHerdrWorld(version, vars, session), version),
        );
      };
    };
    const onlyFake = run(isThere && realHerdr === undefined);
    define({ check: run(isThere), onlyFake }, version);
  });
}

/**
 * For tests that wait until the layout is saved: what they are about does not need the 5 s.
 * `default` is a person's session.
 */
export function withSavingHerdr(
  title: string,
  define: Parameters<typeof withHerdr>[1],
  session: 'signalbox' | 'default',
): void {
  withHerdr(title, define, undefined, { vars: { FAKE_HERDR_SAVE_MS: '300' }, session });
}

/** Trouble on demand; see the fake's chaos/desk.ts. */
export async function chaos(world: HerdrWorld, command: Json): Promise<Json> {
  const answer = await ask(`${world.socket}.chaos`, command);
  if (!answer || answer['error']) throw new Error(`chaos: ${JSON.stringify(answer)}`);
  return answer;
}

interface Counts {
  readonly opened: number;
  readonly open: number;
  readonly requests: Readonly<Record<string, number>>;
  readonly scrolls: readonly unknown[];
  readonly undecodable: number;
  readonly saved: boolean;
}

export async function count(world: HerdrWorld): Promise<Counts> {
  const found = await chaos(world, { do: 'count' });
  return { ...(found['connections'] as Json), ...found } as unknown as Counts;
}

/** The server that runs in this world. */
function serverPid({ folder }: HerdrWorld): number {
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').slice(0, -1);
      const env = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      if (words.at(-1) === 'server' && env.includes(`HOME=${folder}`)) return Number(name);
    } catch {
      // It ended while we looked, or is somebody else's.
    }
  }
  throw new Error('there is no herdr server');
}

export async function killServer(world: HerdrWorld): Promise<void> {
  const pid = serverPid(world);
  process.kill(pid, 'SIGKILL');
  await waitUntil('the end of the server', () => readStartTime(pid) === undefined);
}

/**
 * Until a kill leaves a layout behind: herdr saves it 5 s after the last change (H5). The fake can
 * be asked.
 */
export async function untilSaved(world: HerdrWorld): Promise<void> {
  if (realHerdr !== undefined) return delay(7000);
  await waitUntil('the layout is saved', async () => (await count(world)).saved);
}

export async function untilReady(backend: Backend): Promise<void> {
  await waitUntil('herdr is back', () => backend.state().state === 'ready');
}

export async function panes(world: HerdrWorld): Promise<readonly Json[]> {
  return (await world.ask('pane.list'))['panes'] as Json[];
}

export async function workspaces(world: HerdrWorld): Promise<readonly Json[]> {
  return (await world.ask('workspace.list'))['workspaces'] as Json[];
}

export async function paneRecord(world: HerdrWorld, { pane }: Terminal): Promise<Json> {
  const found = (await panes(world)).find(({ terminal_id }) => terminal_id === pane);
  if (!found) throw new Error(`herdr has no terminal ${pane}`);
  return found;
}

/** Another backend on the same folder, closed when the test is over. */
export async function openNext(
  world: HerdrWorld,
  ledgerId?: string,
  clock?: Clock,
): Promise<Backend> {
  const next = world.open(ledgerId, clock);
  onTestFinished(() => next.close());
  await next.start();
  return next;
}

/** A wall clock that is so much ahead, or behind. */
export function clockAt(offsetMs: number): Clock {
  return { ...systemClock, now: () => systemClock.now() + offsetMs };
}

export function isRunning({ pid, startedAt }: Terminal): boolean {
  return readStartTime(pid) === startedAt;
}

export const shell = (words: string): readonly string[] => ['sh', '-c', words];
export const reader = shell('echo ready; exec cat');
