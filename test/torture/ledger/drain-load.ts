import { closeSync, existsSync, openSync } from 'node:fs';
import type { DrainResult } from '../../../src/protocol/messages.ts';
import type { Child, Ending } from '../children.ts';
import type { DrainerLine } from './drainer.ts';
import type { DocumentFact } from './facts.ts';
import type { End, Run } from './run.ts';
import { windows } from './windows.ts';
import { agents } from './world.ts';

/** Deaths after which nothing of the document may have come out. */
const beforePrint: ReadonlySet<string> = new Set([
  'ledger.uncommitted',
  'drain.claimed',
  'drain.injected',
]);

/** The life of one worker that drains `inbox`. */
export async function runDrainer(run: Run, inbox: string): Promise<void> {
  const role = 'drainer (worker)';
  const end = chooseEnd(run, inbox, role, { window: 0.3, kill: 0 });
  const max = run.random.pick([1, 5, 40, 1000]);
  const unfinished: DocumentFact[] = [];
  const onLine = (line: string): void => {
    const said = JSON.parse(line) as DrainerLine;
    if ('messages' in said) unfinished.push(note(run, child, inbox, said.beganAtMs, said.messages));
    else if ('finishedAtMs' in said) finish(run, unfinished, said.finishedAtMs);
    else if (said.fault.code !== 'agent-not-found' || !run.world.removals.has(inbox))
      run.observer.complain(
        `a drainer of ${inbox} failed: ${said.fault.code} ${said.fault.message}`,
      );
  };
  const options = { role, onLine };
  const child: Child = run.startWorker('drainer', [inbox, String(max)], options, end);
  const stop = setInterval(() => run.isLoaded || child.closeInput(), 20);
  if (end.by === 'itself' && isKillable(inbox)) child.killAfter(run.random.between(300, 10_000));
  const ending = await child.ended;
  clearInterval(stop);
  judge(run, { inbox, kind: 'worker', end, ending, unfinished });
}

/**
 * One `signalbox inbox drain`, as a process of its own. Returns how many messages it handed out.
 */
export async function drainOnce(run: Run, inbox: string): Promise<number> {
  const end = chooseEnd(run, inbox, 'drain', { window: 0.55, kill: 0.3 });
  const child = await startDrain(run, inbox, end);
  return takeDocument(run, child, inbox, await child.ended, end);
}

/**
 * What a command that has ended handed out, noted and judged. Returns how many messages that were.
 */
export function takeDocument(
  run: Run,
  child: Child,
  inbox: string,
  ending: Ending,
  end: End,
): number {
  const unfinished = readDocument(run, child, inbox, ending);
  const handed = unfinished[0]?.copies.length ?? 0;
  judge(run, { inbox, kind: 'cli', end, ending, unfinished });
  return handed;
}

/**
 * Killed when the first part of a document has come, and not the last: what came is not received.
 */
export async function drainHalf(run: Run): Promise<void> {
  const inbox = agents.bulk;
  const end: End = { by: 'itself' };
  const child = await startDrain(run, inbox, end);
  child.process.stdout?.once('data', (chunk: Buffer) => {
    if (chunk.at(-1) !== 10) child.kill();
  });
  const ending = await child.ended;
  const handed = takeDocument(run, child, inbox, ending, end);
  if (ending.how === 'killed' && handed === 0) {
    run.children.noteHit(windows.halfPrinted[0].name, 'cli');
  }
}

/** Its output goes to a full disk: it says so, and what it held is handed out again, marked. */
export async function drainIntoFullDisk(run: Run): Promise<void> {
  if (!existsSync('/dev/full')) return;
  const stdout = openSync('/dev/full', 'w');
  const options = { role: 'drain', input: '', stdout };
  const args = ['inbox', 'drain', agents.bulk, '--json'];
  const ending = await run.runCli(args, options);
  closeSync(stdout);
  if (ending.code !== 1)
    run.observer.complain(`a drain to a full disk ended with ${ending.code}: ${ending.stderr}`);
}

export function startDrain(
  run: Run,
  inbox: string,
  end: End,
  more: Readonly<Record<string, string>> = {},
): Promise<Child> {
  // Inside, an agent drains its own inbox; outside, the user drains any.
  const asSelf = run.random.chance(0.5);
  const args = ['inbox', 'drain', ...(asSelf ? [] : [inbox]), '--json'];
  if (run.random.chance(0.3)) args.push('--max', String(run.random.whole(1, 50)));
  const env = asSelf && inbox !== 'user' ? { SIGNALBOX_AGENT: inbox } : {};
  return run.startCli(args, { role: 'drain', env: { ...env, ...more }, input: '' }, end);
}

function chooseEnd(
  run: Run,
  inbox: string,
  role: string,
  shares: { window: number; kill: number },
): End {
  return isKillable(inbox) ? run.chooseEnd('drain', role, shares) : { by: 'itself' };
}

function isKillable(inbox: string): boolean {
  return inbox !== agents.calm;
}

/** Received is what arrived whole: one line of JSON, to its end. */
function readDocument(run: Run, child: Child, inbox: string, ending: Ending): DocumentFact[] {
  if (!ending.stdout.endsWith('\n')) return [];
  const said = JSON.parse(ending.stdout) as Partial<DrainResult>;
  if (!said.messages || said.messages.length === 0) return [];
  return [note(run, child, inbox, ending.startedAtMs, said.messages)];
}

function note(
  run: Run,
  { number }: Child,
  inbox: string,
  beganAtMs: number,
  messages: DrainResult['messages'],
): DocumentFact {
  return run.observer.noteDocument({ drainer: number, inbox, beganAtMs, messages });
}

function finish(run: Run, documents: DocumentFact[], atMs: number): void {
  const document = documents.pop();
  if (document) run.observer.noteFinish(document, atMs);
}

interface Death {
  readonly inbox: string;
  readonly kind: 'cli' | 'worker';
  readonly end: End;
  readonly ending: Ending;
  /** Those whose ack is not known; more than one only when something is wrong. */
  readonly unfinished: DocumentFact[];
}

/** Did it end as it should, and had it printed what it must have where it died? */
function judge(run: Run, { inbox, kind, end, ending, unfinished }: Death): void {
  const { how, code, signal, stdout, stderr, endedAtMs } = ending;
  const { observer } = run;
  if (how === 'ended') {
    const isGone = code === 3 && run.world.removals.has(inbox);
    if (code !== 0 && !isGone)
      observer.complain(`a drain of ${inbox} ended with ${code ?? signal}: ${stderr}`);
    if (kind === 'cli' && code === 0) finish(run, unfinished, endedAtMs);
  }
  if (how !== 'hit' || end.by !== 'window') return;
  const { place } = end.window;
  const hasPrinted = unfinished.length > 0;
  if (beforePrint.has(place) && hasPrinted)
    observer.complain(`a drain of ${inbox} that died at ${place} had printed`);
  if (!beforePrint.has(place) && !hasPrinted) {
    // The command prints an empty document too: it dies there, with nothing at stake.
    if (kind === 'cli' && stdout.endsWith('\n')) return;
    observer.complain(`a drain of ${inbox} that died at ${place} had not printed`);
  }
  run.noteHit(end, ending, kind);
  // It died behind its ack: whatever it handed out must never come again.
  if (place === 'drain.acked') finish(run, unfinished, endedAtMs);
}
