import type { Clock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { readStartTime } from '../../shared/processes.ts';
import { OutsideFailure, reportBug } from '../../shared/report-bug.ts';
import { formatUmask } from '../../shared/umask.ts';
import { checkProgram } from '../check-program.ts';
import type { Terminal, TerminalHelper, WantedHelper, WantedTerminal } from '../terminal.ts';
import { helperEnded, waitForPath, waitForProgram } from '../wait-for-program.ts';
import { closeNoted } from './close.ts';
import { prepareEnvironment, programWords } from './host-script.ts';
import { isRunning, terminalOf } from './identity.ts';
import { type Note, readEnding, readPid } from './notes.ts';
import { openWorkspace, type Room, startIn } from './open-pane.ts';
import type { HerdrParts } from './parts.ts';
import { HerdrError } from './request.ts';
import { closeLeftovers } from './rooms.ts';

/** The host says within milliseconds what it has started; a starved machine may take long. */
const begunMs = 10_000;
const begunCheckMs = 5;

/**
 * Starts an agent in a herdr workspace of its own, its helpers before it in tabs beside it.
 * Everything is noted before it is asked for: what was begun and whose answer got lost is found
 * again by its label and its process. When anything fails, what was started is taken back.
 */
export async function launchTerminal(
  parts: HerdrParts,
  wanted: WantedTerminal,
  signal?: AbortSignal,
): Promise<Terminal> {
  checkProgram(wanted.argv, wanted.env, wanted.cwd);
  signal?.throwIfAborted();
  parts.link.server();
  const notes: Note[] = [];
  let room: Room | undefined;
  try {
    room = await openWorkspace(parts, wanted);
    for (const helper of wanted.helpers) {
      // The agent gets the first tab, which is the one that a person sees who goes to its
      // workspace.
      const note = await start(parts, { ...room, takeTab: () => undefined }, wanted, helper);
      notes.push(note);
      await waitForHelper(parts.clock, wanted.called, { helper, note, signal });
    }
    const note = await start(parts, room, wanted, undefined);
    notes.push(note);
    await room.tidy();
    signal?.throwIfAborted();
    await parts.link.look();
    return terminalOf(note, await waitForPid(note, parts.clock));
  } catch (error) {
    for (const note of notes.reverse()) await closeNoted(parts, note).catch(tidiedLater);
    room?.leave();
    await closeRooms(parts).catch(tidiedLater);
    throw explain(error, wanted.called);
  }
}

/** herdr closes the pane with its program: of its end only the exit code is left. */
async function waitForHelper(
  clock: Clock,
  called: string,
  { helper, note, signal }: HelperStart,
): Promise<void> {
  const hasEnded = (): boolean => readEnding(note) !== undefined;
  if ((await waitForPath(helper.readyPath, { clock, hasEnded, signal })) !== 'ended') return;
  const { exitCode, exitSignal } = readEnding(note) ?? {};
  throw helperEnded(
    called,
    helper.name,
    `Its end: ${exitSignal ?? `exit ${exitCode ?? 'unknown'}`}.`,
  );
}

interface HelperStart {
  readonly helper: TerminalHelper;
  readonly note: Note;
  readonly signal: AbortSignal | undefined;
}

/**
 * A helper of a running agent, in a tab beside it; what is left of one that ended is closed first.
 */
export async function startHelper(
  parts: HerdrParts,
  { agent, epoch }: Terminal,
  workspace: string,
  helper: WantedHelper,
): Promise<'started' | 'running'> {
  const old = parts.notes.find({ agent, epoch, helper: helper.name });
  if (old && isRunning(old)) return 'running';
  if (old) await closeNoted(parts, old);
  const nothing = (): undefined => undefined;
  const room = { workspace, takeTab: nothing, tidy: async () => undefined, leave: nothing };
  try {
    await start(parts, room, { ...helper, agent, epoch }, helper);
  } catch (error) {
    throw explain(error, helper.name);
  }
  return 'started';
}

async function closeRooms(parts: HerdrParts): Promise<void> {
  await closeLeftovers(parts, await parts.link.look());
}

async function start(
  parts: HerdrParts,
  room: Room,
  wanted: Pick<WantedTerminal, 'agent' | 'epoch' | 'name' | 'argv' | 'env' | 'cwd' | 'umask'>,
  helper: TerminalHelper | undefined,
): Promise<Note> {
  const { agent, epoch, cwd } = wanted;
  const files = prepareEnvironment(helper?.env ?? wanted.env, helper !== undefined);
  const life = { agent, epoch, helper: helper?.name ?? '' };
  const begun = parts.notes.begin(life, parts.place.socket, files);
  const program = programWords(helper?.argv ?? wanted.argv);
  const umask = formatUmask(wanted.umask);
  const argv = ['/bin/sh', parts.host, begun.folder, umask, ...files.words, ...program];
  const name = helper?.name ?? wanted.name;
  try {
    const { terminal, pane } = await startIn(parts, room, { life, name, cwd, argv });
    const note = parts.notes.seenAt(parts.notes.found(begun, terminal), pane);
    const pid = await waitForPid(note, parts.clock);
    await waitForProgram(pid, files.values, parts.clock);
    return parts.notes.found(note, terminal, readStartTime(pid) ?? '');
  } catch (error) {
    await closeNoted(parts, parts.notes.find(life) ?? begun).catch(tidiedLater);
    throw error;
  }
}

async function waitForPid(note: Note, clock: Clock): Promise<number> {
  const deadline = clock.monotonicMs() + begunMs;
  for (;;) {
    // Its pid is written before its end: whoever has ended by now has one.
    const ending = readEnding(note);
    const pid = readPid(note);
    if (pid !== undefined) return pid;
    if (ending || clock.monotonicMs() > deadline) {
      throw new OutsideFailure('its program was not started');
    }
    await clock.sleep(begunCheckMs);
  }
}

/**
 * The next reconciliation closes what no life claims; the launch has an error of its own to tell.
 */
function tidiedLater(error: unknown): void {
  reportBug('taking back a launch in herdr', error);
}

function explain(error: unknown, called: string): unknown {
  if (!(error instanceof HerdrError)) return error;
  if (error.kind === 'refused' || error.code === 'too_long') {
    return new Fault(
      'launch-failed',
      `herdr could not open a terminal for "${called}": ${error.message}.`,
      'See `signalbox doctor`.',
    );
  }
  return new Fault(
    'backend-lost',
    `herdr was lost while it opened a terminal for "${called}" (${error.message}).`,
    'It is connected again by itself; launch it again.',
  );
}
