import { basename, dirname } from 'node:path';
import { reportBug } from '../shared/report-bug.ts';
import { LineFollower } from './follow-lines.ts';
import type { OwnState, StateWatch } from './provider.ts';
import { FolderWatch } from './watch-folder.ts';
import type { TurnNews } from './way-in.ts';

/** A fold over the lines of one conversation: what each of them ends. */
export type TurnFold = (line: Buffer) => EndedTurn | undefined;

export interface EndedTurn {
  readonly turn: Omit<TurnNews, 'session'>;
  /** Wall time, where the record has it. */
  readonly at: number | undefined;
}

interface TurnSource {
  /** Undefined while the conversation has no file. */
  readonly locate: (conversation: string) => Promise<string | undefined>;
  readonly createFold: () => TurnFold;
  /** When this life began: what ended before it was told by an earlier one. */
  readonly since: number;
  readonly conversation: string | undefined;
  readonly report: (state: OwnState) => void;
}

export interface TurnWatch extends StateWatch {
  follow(conversation: string): void;
}

/**
 * Tells the turn ends that a CLI keeps on record, for CLIs whose file is the one authority for them
 * (rule 26). The file is read from its beginning, so after a restart of ours every end of this life
 * is told again, under the same identity.
 */
export function openTurnWatch(source: TurnSource): TurnWatch {
  const watch = new FolderWatch({
    onChange: () => look(),
    isOurs: (name) => lines !== undefined && basename(lines.path) === name,
  });
  let conversation = source.conversation;
  /** Where the agent went since: what ended before it left is told first. */
  const ahead: string[] = [];
  let lines: LineFollower | undefined;
  let fold = source.createFold();
  let isLooking = false;
  let isLookDue = false;
  let isClosed = false;

  function look(): void {
    // One at a time, and one more after it: this one may have read too early.
    isLookDue = isLooking;
    if (isLooking || isClosed) return;
    isLooking = true;
    readNew()
      // A file that cannot be read now is read at the next look.
      .catch((error) => reportBug('reading the turn ends of a conversation', error))
      .finally(() => {
        isLooking = false;
        if (isLookDue && !isClosed) look();
      });
  }

  async function readNew(): Promise<void> {
    const isLeft = ahead.length > 0;
    try {
      if (conversation !== undefined) await readAll(conversation);
    } finally {
      // One that cannot be read holds up no other.
      if (isLeft) {
        conversation = ahead.shift();
        lines = undefined;
        isLookDue = true;
      }
    }
  }

  async function readAll(session: string): Promise<void> {
    lines ??= await open(session);
    if (!lines) return;
    for await (const line of lines.readNew()) {
      if (isClosed) return;
      if (line === 'begun-again') fold = source.createFold();
      else if (line !== 'too-long') take(session, line, lines.isLineNew);
    }
  }

  /** A line that we fail at costs at most its own end: those behind it are told. */
  function take(session: string, line: Buffer, isLive: boolean): void {
    try {
      tell(session, fold(line), isLive);
    } catch (error) {
      reportBug('reading a turn end', error);
    }
  }

  async function open(session: string): Promise<LineFollower | undefined> {
    const path = await source.locate(session);
    if (path === undefined || isClosed) return undefined;
    fold = source.createFold();
    watch.follow(dirname(path));
    return new LineFollower(path);
  }

  /** What stood in the file already has ended some time ago, and may have been told. */
  function tell(session: string, ended: EndedTurn | undefined, isLive: boolean): void {
    if (!ended) return;
    // What is written now is of this life, whatever its clock says: that may have been set back
    // (rule 5).
    const isOld = !isLive && ended.at !== undefined && ended.at < source.since;
    if (isOld) return;
    const at = isLive || ended.at === undefined ? {} : { endedAt: ended.at };
    source.report({ report: undefined, turnEnd: { session, ...ended.turn, ...at } });
  }

  look();
  return {
    check: look,
    follow: (wanted) => {
      if (wanted === (ahead.at(-1) ?? conversation)) return;
      ahead.push(wanted);
      look();
    },
    close: () => {
      isClosed = true;
      watch.close();
    },
  };
}
