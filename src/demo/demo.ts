import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DirectClient } from '../client/client.ts';
import { openDirectClient } from '../client/direct/open.ts';
import { systemClock } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { type Account, countAccount } from './account.ts';
import { Crew } from './crew.ts';
import type { Happening, Moment } from './moment.ts';
import { Observer } from './observer.ts';
import { harass, waitUntilQuiet } from './phases.ts';
import type { CrashWindow } from './report.ts';
import { lead, team } from './team.ts';

export interface DemoOptions {
  readonly seconds: number;
  readonly signal: AbortSignal;
  watch(moment: Moment): void;
}

export interface DemoOutcome {
  readonly account: Account;
  /** With SIGKILL, all of them. */
  readonly kills: number;
  /** Of the kills, those exactly inside a crash window. */
  readonly windows: Readonly<Record<CrashWindow, number>>;
  /** Copies that said that they may be second ones. */
  readonly repeats: number;
  /** Sends repeated under the same key after a kill, which made no second message. */
  readonly resent: number;
  /** Programs that ended without being killed. */
  readonly failures: number;
  readonly seconds: number;
}

/**
 * Real processes exchange messages through a ledger in a throw-away folder while they are killed with -9 and started
 * again. At the end nobody is killed any more until the inboxes are empty; what was accepted and did not arrive by then
 * is lost. However it ends, no process and no folder is left.
 */
export async function runDemo({ seconds, signal, watch }: DemoOptions): Promise<DemoOutcome> {
  const startedAtMs = systemClock.monotonicMs();
  const elapsedMs = (): number => systemClock.monotonicMs() - startedAtMs;
  const broken = new AbortController();
  const stop = AbortSignal.any([signal, broken.signal]);
  const show = (happening: Happening): void => {
    try {
      watch({ ...happening, atMs: elapsedMs() });
    } catch (error) {
      broken.abort(error); // The timeline could not be written; this is called from events, where nobody would catch it.
    }
  };
  const home = makeHome();
  const observer = new Observer();
  const crew = new Crew({
    home,
    firstJob: () => observer.nextJob,
    onReport: (agent, report) => {
      const happening = observer.note(agent, report);
      if (happening) show(happening);
    },
    show,
  });
  const sweep = (): void => {
    crew.killAll();
    rmSync(home, { recursive: true, force: true });
  };
  process.once('exit', sweep); // The last resort, should this process itself fail.
  let client: DirectClient | undefined;
  try {
    client = await openClient(home);
    const lives = crew.run().catch((error: unknown) => broken.abort(error));
    await harass(crew, seconds, stop);
    show({ what: 'calm' });
    crew.calmDown();
    await waitUntilQuiet(crew, client, stop);
    await crew.end();
    await lives;
    const account = countAccount(observer.accepted, observer.received, await listSettled(client));
    return {
      account,
      kills: crew.kills,
      windows: crew.windows,
      repeats: observer.repeats,
      resent: observer.resent,
      failures: crew.failures,
      seconds: Math.round(elapsedMs() / 100) / 10,
    };
  } catch (error) {
    crew.killAll();
    throw stop.aborted ? stop.reason : error;
  } finally {
    await crew.end();
    await client?.close();
    sweep();
    process.off('exit', sweep);
  }
}

function makeHome(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'signalbox-demo-'));
  } catch (error) {
    throw new Fault(
      'ledger-unwritable',
      `No folder for the demo could be made in ${tmpdir()}.`,
      'Set TMPDIR to a folder that is writable.',
      { cause: error },
    );
  }
}

async function openClient(home: string): Promise<DirectClient> {
  const client = await openDirectClient({
    ...process.env,
    SIGNALBOX_HOME: home,
    SIGNALBOX_AGENT: '',
  });
  for (const name of team) {
    const parent = name === lead ? {} : { parent: lead };
    await client.addAgent({ name, session: 'demo', notify: true, cwd: home, ...parent });
  }
  return client;
}

async function listSettled(client: DirectClient): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const name of team) {
    const inbox = await client.listInbox(name, { states: ['acked', 'seen'], max: 1e9 });
    for (const { id } of inbox.messages) ids.add(id);
  }
  return ids;
}
