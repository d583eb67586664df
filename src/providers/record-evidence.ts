import { basename, dirname } from 'node:path';
import type { Route } from '../messages/claim.ts';
import type { Json } from '../shared/json.ts';
import { isRecord, LineFollower } from './follow-lines.ts';
import type { AgentContext } from './provider.ts';
import { codeOf } from './record-files.ts';
import { doubtForm, RecordForm, type Shape } from './record-form.ts';
import { FolderWatch } from './watch-folder.ts';
import type { AttemptTrace, Evidence, Finding, LiveContext } from './way-in.ts';

/** What one file of a conversation says about marks: a fold over its lines that touches nothing. */
export interface Judge {
  take(line: Buffer): void;
  /** Undefined: no record of it in this file. */
  find(attempt: AttemptTrace): Finding | undefined;
}

/** Where one CLI keeps its conversations, and what they mean. */
interface Records {
  /**
   * The files in which an attempt could stand, as of now, and that are there. Throws where one of
   * the places in which they lie cannot be looked at (record-files.ts).
   */
  readonly locate: (wanted: Wanted) => Promise<readonly string[]>;
  /** `before`: what was made of the same file until it was cut, replaced or written anew. */
  readonly createJudge: (fileName: string, before?: Judge) => Judge;
  /** One for each file. */
  readonly createShapeReader: () => (record: Json) => Shape;
  /**
   * Whether the terminal shows another conversation than the one of this file (rule 42); false
   * while nobody knows.
   */
  readonly isLeft: (path: string, context: AgentContext) => boolean;
  /**
   * No record of it stands in any file, and all of them were found and read to their end without an
   * error (rule 41).
   */
  readonly findWithout: (
    attempt: AttemptTrace,
    context: AgentContext,
  ) => Finding | Promise<Finding>;
}

interface Wanted {
  readonly context: AgentContext;
  /** Those that the attempts were made in, and the current one. */
  readonly conversations: readonly string[];
  /** Wall time of the oldest attempt. */
  readonly since: number | undefined;
  /**
   * Wall time of the oldest attempt whose process is dead: its conversation may have been left
   * before it died.
   */
  readonly deadSince: number | undefined;
}

/**
 * Evidence from files that a CLI appends to. Each is read once, as it grows, for as long as some
 * attempt may stand in it; a fresh one of these reads from the beginning and knows as much. Calls
 * wait for each other: a file has one reader.
 */
export function openRecordEvidence(life: LiveContext, records: Records): Evidence {
  const books = new Map<string, Book>();
  // Other conversations are kept in the same folder; a new one of ours is found by the poll.
  const watch = new FolderWatch({
    onChange: () => life.changed(),
    isOurs: (name) => [...books.keys()].some((path) => basename(path) === name),
  });
  let last: Promise<unknown> = Promise.resolve();

  // An agent is known by its last conversation; an attempt may stand in one that a person has left
  // since.
  let visited: readonly string[] = [];

  async function judge(attempts: readonly AttemptTrace[]): Promise<readonly Finding[]> {
    const context = life.current();
    const located = await locate(context, attempts);
    // What cannot be looked for now is where it was.
    const paths = 'doubt' in located ? [...books.keys()] : located.paths;
    for (const path of books.keys()) if (!paths.includes(path)) books.delete(path);
    const [first] = paths;
    watch.follow(attempts.length === 0 || first === undefined ? undefined : dirname(first));
    for (const path of paths) await readOn(path);
    const doubt = 'doubt' in located ? located.doubt : doubtIn(books);
    return await Promise.all(
      attempts.map((attempt) =>
        find(attempt, context, doubt).catch((error) => unknown(doubtOf(error))),
      ),
    );
  }

  async function locate(context: AgentContext, attempts: readonly AttemptTrace[]) {
    const conversations = listConversations(context, attempts, visited);
    visited = attempts.length === 0 ? [] : conversations.slice(0, mostVisited);
    const since = oldest(attempts);
    const deadSince = oldest(attempts.filter(({ isAlive }) => !isAlive));
    try {
      return { paths: await records.locate({ context, conversations, since, deadSince }) };
    } catch (error) {
      return { doubt: doubtOf(error) };
    }
  }

  async function readOn(path: string): Promise<void> {
    const book = books.get(path) ?? openBook(path, records);
    books.set(path, book);
    for await (const line of book.lines.readNew()) {
      if (line === 'begun-again') Object.assign(book, begin(path, records, book.judge));
      else if (line === 'too-long' || !isRecord(line)) book.isDamaged = true;
      else {
        book.judge.take(line);
        book.form.takeLine(line);
      }
    }
  }

  async function find(
    attempt: AttemptTrace,
    context: AgentContext,
    doubt: string | undefined,
  ): Promise<Finding> {
    const { version } = context;
    const found = [...books].flatMap(([path, { judge, form }]) => {
      const finding = judge.find(attempt);
      if (!finding) return [];
      const placed = place(finding, () => records.isLeft(path, context));
      return [form.isForeign ? doubtForm(placed, version) : placed];
    });
    const best = found.toSorted((a, b) => rank(a) - rank(b) || leftLast(a, b))[0];
    if (best) return best;
    if (doubt !== undefined) return unknown(doubt);
    // A hook's reply goes into a turn, and a turn is on record: where nothing is, it is kept
    // elsewhere.
    if (books.size === 0 && replies.has(attempt.route)) {
      return unknown('there is no file of its conversation');
    }
    const without = await records.findWithout(attempt, context);
    // Where one of them cannot be understood, it may stand there (rule 50).
    const isForeign = [...books.values()].some(({ form }) => form.isForeign);
    return isForeign ? doubtForm(without, version) : without;
  }

  return {
    judge: (attempts) => {
      const next = last.then(() => judge(attempts));
      // Its caller gets the error; the next one only waits for the end.
      last = next.catch(() => undefined);
      return next;
    },
    close: () => watch.close(),
  };
}

const replies = new Set<Route>(['turn-boundary', 'mid-turn']);

/**
 * Why "not in them" would mean nothing: half a line, and one that cannot be read, may be the one
 * that is looked for (O5).
 */
function doubtIn(books: ReadonlyMap<string, Book>): string | undefined {
  const bad = [...books].find(([, { lines, isDamaged }]) => isDamaged || !lines.isWhole);
  return bad && `${basename(bad[0])} cannot be read in full`;
}

/** An error of the system's is an answer of its own kind; any other is a bug, and is thrown on. */
function doubtOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return `its records cannot be read (${code})`;
}

function unknown(evidence: string): Finding {
  return { found: 'unknown', evidence };
}

interface Book {
  readonly lines: LineFollower;
  judge: Judge;
  form: RecordForm;
  /** A line was too long to be read, or is no record, and it may have held anything (O5). */
  isDamaged: boolean;
}

function openBook(path: string, records: Records): Book {
  return { lines: new LineFollower(path), ...begin(path, records) };
}

function begin(path: string, records: Records, before?: Judge): Omit<Book, 'lines'> {
  const form = new RecordForm(records.createShapeReader());
  return { judge: records.createJudge(basename(path), before), form, isDamaged: false };
}

/** When files disagree, a proof in one of them stands. */
const strongest: readonly Finding['found'][] = ['seen', 'landed', 'held', 'removed'];

/** What can still be read is left with its conversation. */
function place(finding: Finding, isLeft: () => boolean): Finding {
  const isOpen = finding.found === 'landed' || finding.found === 'held';
  if (!isOpen || !isLeft()) return finding;
  return {
    ...finding,
    evidence: `${finding.evidence}, in a conversation that was left`,
    isLeft: true,
  };
}

/** A fork, and what a resume copies, stand in both files: where it can be read counts. */
function leftLast(a: Finding, b: Finding): number {
  return Number(a.isLeft ?? false) - Number(b.isLeft ?? false);
}

function rank({ found }: Finding): number {
  const at = strongest.indexOf(found);
  return at < 0 ? strongest.length : at;
}

/** While one attempt is open; nobody goes through more. */
const mostVisited = 20;

function listConversations(
  { conversation }: AgentContext,
  attempts: readonly AttemptTrace[],
  visited: readonly string[],
): readonly string[] {
  const all = [conversation, ...attempts.map((attempt) => attempt.conversation), ...visited];
  return [...new Set(all.filter((id) => id !== undefined))];
}

function oldest(attempts: readonly AttemptTrace[]): number | undefined {
  return attempts.length === 0 ? undefined : Math.min(...attempts.map(({ at }) => at));
}
