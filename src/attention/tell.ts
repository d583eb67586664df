import type { AttentionDocument } from '../protocol/printed.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { escapeHidden } from '../shared/reveal.ts';
import type { Cause } from './cause.ts';
import { findNotifier, notifyWords } from './desktop.ts';
import { type Ran, runBriefly } from './run-briefly.ts';
import { describeCauses } from './words.ts';

/** notify-send waits for a service that the bus may have to start; 25 s are D-Bus's own limit. */
const desktopMs = 5000;
const commandMs = 10_000;

export interface TellParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly env: Readonly<Record<string, string>>;
  /** The variable by which what is started here is found again; each run has a value of its own. */
  readonly markName: string;
  readonly over: AbortSignal;
}

/** One run: its mark is known, and noted, before it begins. */
export interface RunParts extends TellParts {
  readonly mark: string;
}

/** `auto`: where it can be shown, and without a word where not; `on`, `off`. */
export type DesktopChoice = string;

/** Shows one notification for all of them. Never throws. */
export async function showOnDesktop(
  parts: RunParts,
  choice: DesktopChoice,
  causes: readonly Cause[],
): Promise<void> {
  const notifier = await findNotifier(parts.env);
  if (notifier.kind === 'none') {
    const { why } = notifier;
    if (choice === 'on') parts.log.warn({ why }, 'no desktop notification can be shown');
    return;
  }
  const argv = notifyWords(notifier, describeCauses(causes));
  const ran = await run(parts, { argv, input: '', limitMs: desktopMs });
  logFailure(parts.log, ran, 'a desktop notification could not be shown');
}

/** Runs the user's own command, with what needs the user on its stdin. Never throws. */
export async function runCommand(
  parts: RunParts,
  command: string,
  causes: readonly Cause[],
): Promise<void> {
  const input = `${escapeHidden(JSON.stringify(writeDocument(causes)))}\n`;
  const argv = ['/bin/sh', '-c', command];
  const ran = await run(parts, { argv, input, limitMs: commandMs });
  logFailure(parts.log, ran, 'the command of on-attention failed');
}

/** The document of `signalbox attention --json`. */
function writeDocument(causes: readonly Cause[]): AttentionDocument {
  return {
    items: causes.map(({ kind, agent, since, text, next }) => ({
      ...{ kind, agent, since: new Date(since).toISOString(), text, next },
    })),
  };
}

interface Wish {
  readonly argv: readonly string[];
  readonly input: string;
  readonly limitMs: number;
}

function run({ clock, env, mark, over }: RunParts, wish: Wish): Promise<Ran> {
  const at = mark.indexOf('=');
  const own = { ...env, [mark.slice(0, at)]: mark.slice(at + 1) };
  return runBriefly(clock, { ...wish, env: own, mark, over });
}

function logFailure(log: Log, ran: Ran, what: string): void {
  if (ran.outcome === 'done') return;
  log.warn({ outcome: ran.outcome, why: ran.why }, what);
}
