import { basename, dirname } from 'node:path';
import { parseObject } from '../../shared/json.ts';
import { isRecord, LineFollower } from '../follow-lines.ts';
import { mixedWords } from '../marks.ts';
import { codeOf } from '../record-files.ts';
import { doubtForm, RecordForm } from '../record-form.ts';
import { FolderWatch } from '../watch-folder.ts';
import type { AttemptTrace, Evidence, Finding, LiveContext } from '../way-in.ts';
import { findTranscript, projectsFolder } from './find-transcript.ts';
import { createShapeReader } from './form.ts';
import { type Found, type Trace, TranscriptJudge } from './judge.ts';
import { readLarge } from './read-large.ts';
import { promptKey } from './said-records.ts';

/** What the transcripts of Claude Code say about attempts of ours; `judge.ts` has the rule. */
export function openEvidence(life: LiveContext): Evidence {
  return new Transcripts(life);
}

/** /clear begins another file; a life that clears more often than this has forgotten the first. */
const keptTranscripts = 8;

class Transcripts implements Evidence {
  readonly #life: LiveContext;
  readonly #watch: FolderWatch;
  readonly #transcripts = new Map<string, Transcript>();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(life: LiveContext) {
    this.#life = life;
    this.#watch = new FolderWatch({ onChange: () => life.changed() });
  }

  judge(attempts: readonly AttemptTrace[]): Promise<readonly Finding[]> {
    const findings = this.#reading.then(() => this.#judge(attempts));
    // Its caller gets the error; the next one only waits for the end.
    this.#reading = findings.catch(() => undefined);
    return findings;
  }

  close(): void {
    this.#watch.close();
  }

  async #judge(attempts: readonly AttemptTrace[]): Promise<readonly Finding[]> {
    const { conversation, cwd, env } = this.#life.current();
    const wanted = new Set([conversation, ...attempts.map((attempt) => attempt.conversation)]);
    let isSearched = true;
    for (const id of wanted) {
      if (id === undefined || this.#transcripts.has(id)) continue;
      const path = await findTranscript({ conversation: id, cwd, env }).catch(unreadable);
      if (path === 'unreadable') isSearched = false;
      else if (path !== undefined) this.#transcripts.set(id, new Transcript(path));
    }
    this.#forgetOld(wanted);
    for (const [id, transcript] of this.#transcripts) {
      await transcript.read();
      // Claude Code removes old ones.
      if (transcript.isGone && !wanted.has(id)) this.#transcripts.delete(id);
    }
    const look = { isPlaceKnown: Object.keys(env).length > 0, isSearched };
    const findings = attempts.map((attempt) => this.#find(attempt, conversation, look));
    const isOpen = findings.some(({ found }) => found !== 'seen' && found !== 'absent');
    const path = conversation === undefined ? undefined : this.#transcripts.get(conversation)?.path;
    const folder = path === undefined ? projectsFolder(env) : dirname(path);
    this.#watch.follow(isOpen ? folder : undefined);
    return findings;
  }

  #forgetOld(wanted: ReadonlySet<string | undefined>): void {
    for (const id of this.#transcripts.keys()) {
      if (this.#transcripts.size <= keptTranscripts) return;
      if (!wanted.has(id)) this.#transcripts.delete(id);
    }
  }

  #find(attempt: AttemptTrace, conversation: string | undefined, look: Look): Finding {
    const traces = [...this.#transcripts].map(([id, transcript]) => {
      const { isForeign } = transcript;
      return { isCurrent: id === conversation, isForeign, ...transcript.find(keyOf(attempt)) };
    });
    const found = traces
      .filter((trace): trace is Placed => trace.kind !== 'none')
      .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))[0];
    const ids = [attempt.conversation, ...(attempt.isAlive ? [conversation] : [])];
    const hasTranscript = ids.some((id) => this.#transcripts.has(id ?? ''));
    const all = [...this.#transcripts.values()];
    const isWhole = look.isSearched && all.every((transcript) => transcript.isWhole);
    const { isPlaceKnown } = look;
    const finding = decide(attempt, found, { hasTranscript, isWhole, isPlaceKnown });
    const isForeign = found?.isForeign ?? traces.some((trace) => trace.isForeign);
    const isDoubtful = isForeign || found?.kind === 'strange';
    return isDoubtful ? doubtForm(finding, this.#life.current().version) : finding;
  }
}

/** A pasted prompt is proven by a prompt alone, and what a hook said by no prompt. */
function keyOf({ mark, route }: AttemptTrace): string {
  return route === 'paste' ? promptKey(mark) : mark;
}

type Placed = Found & { readonly isCurrent: boolean; readonly isForeign: boolean };

interface Look {
  /** Where transcripts lie is known from the process's own environment. */
  readonly isPlaceKnown: boolean;
  /** Every folder in which one could lie was listed without an error (rule 41). */
  readonly isSearched: boolean;
}

function unreadable(error: unknown): 'unreadable' {
  if (codeOf(error) === undefined) throw error;
  return 'unreadable';
}

interface Reading {
  readonly hasTranscript: boolean;
  /** All were found and read to their end, every line of them (rule 41). */
  readonly isWhole: boolean;
}

const unknownPlace = 'nobody knows where its transcript lies';

const order: readonly Found['kind'][] = [
  'seen',
  'landed',
  'queued',
  'recalled',
  'passed',
  'strange',
];

/**
 * What a trace means for the process that took the attempt. A dead one has lost its queue. What it
 * had sent within the last 150 ms is on no record (2.1.325): only when not even the submit hook of
 * a woken turn had run is it certain that nothing was sent; of hooks' replies nobody can tell.
 */
function decide(
  attempt: AttemptTrace,
  found: Placed | undefined,
  { isPlaceKnown, ...read }: Reading & { readonly isPlaceKnown: boolean },
): Finding {
  const { hasTranscript, isWhole } = read;
  const company = attempt.isAltered ? mixedWords.slice(0, -1) : '';
  const evidence = found ? `${found.record}${company}` : 'no record of it';
  switch (found?.kind) {
    case 'seen':
      return { found: 'seen', evidence };
    case 'landed':
      if (!found.isCurrent) {
        const place = `${evidence}, in a conversation that was left`;
        return { found: 'landed', evidence: place, isLeft: true };
      }
      return {
        ...{ found: 'landed', evidence },
        ...(found.isInterrupted ? { isInterrupted: true } : {}),
        ...(attempt.route === 'paste' ? { isTakenBackByEsc: true } : {}),
      };
    case 'passed':
      return { found: 'unknown', evidence, isPassedOver: true };
    case 'strange':
      return { found: 'unknown', evidence };
    case 'recalled':
      return { found: 'removed', because: 'interrupted', evidence };
    case 'queued':
      if (attempt.isAlive) return { found: 'held', evidence };
      break;
    case undefined:
      break;
  }
  if (attempt.isAlive) return decideAlive(attempt, evidence, { ...read, isPlaceKnown });
  if (attempt.route !== 'native') {
    return {
      found: 'unknown',
      evidence: `${evidence}; it may have been sent before it was written`,
    };
  }
  if (attempt.isSubmitted) {
    return { found: 'unknown', evidence: `it was submitted, but there is ${evidence}` };
  }
  if (attempt.conversation === undefined) {
    return { found: 'unknown', evidence: 'nobody knows its conversation' };
  }
  if (!isWhole) return { found: 'unknown', evidence: `${evidence}, and not all could be read` };
  // Looked for in another place than the one where it wrote, nothing is found, and that proves
  // nothing.
  if (!hasTranscript && !isPlaceKnown) {
    return { found: 'unknown', evidence: unknownPlace };
  }
  const where = hasTranscript ? evidence : 'no transcript';
  return { found: 'absent', evidence: `its process is dead: ${where}, and it was never submitted` };
}

/**
 * No record means something only where there would be one: a turn has begun, and the CLI keeps a
 * transcript of it.
 */
function decideAlive(
  { route, isSubmitted }: AttemptTrace,
  evidence: string,
  { hasTranscript, isWhole, isPlaceKnown }: Reading & { readonly isPlaceKnown: boolean },
): Finding {
  if (!isWhole) return { found: 'unknown', evidence: `${evidence}, and not all could be read` };
  if (!hasTranscript && !isPlaceKnown) return { found: 'unknown', evidence: unknownPlace };
  const isBegun = route !== 'native' || isSubmitted;
  if (hasTranscript || !isBegun) return { found: 'none', evidence };
  return { found: 'unknown', evidence: 'there is no transcript of its turn' };
}

/** One file, read as it grows. */
class Transcript {
  readonly path: string;
  readonly #lines: LineFollower;
  #judge = new TranscriptJudge();
  #form = new RecordForm(createShapeReader());
  /** Of before the first mark: a request may stand before the text that it carries. */
  #recent: Buffer[] = [];
  #isWhole = true;

  constructor(path: string) {
    this.path = path;
    this.#lines = new LineFollower(path);
  }

  /** Everything that is there could be read. */
  get isWhole(): boolean {
    return this.#isWhole && this.#lines.isWhole;
  }

  get isGone(): boolean {
    return this.#lines.trouble === 'missing';
  }

  /** It shows turns, and none in a form that we know (rule 50). */
  get isForeign(): boolean {
    return this.#form.isForeign;
  }

  find(mark: string): Trace {
    const trace = this.#judge.find(mark);
    if (trace.kind === 'none') return trace;
    return { ...trace, record: `${trace.record} (${basename(this.path)})` };
  }

  async read(): Promise<void> {
    for await (const line of this.#lines.readNew()) {
      if (line === 'begun-again') this.#beginAgain();
      else if (line === 'too-long') this.#isWhole = false;
      else {
        this.#form.takeLine(line);
        this.#take(line);
      }
    }
  }

  #beginAgain(): void {
    this.#judge = new TranscriptJudge();
    this.#form = new RecordForm(createShapeReader());
    this.#recent = [];
    this.#isWhole = true;
  }

  /**
   * Before there is a mark, and when all were seen, nothing is parsed: most of a transcript is of
   * such times.
   */
  #take(line: Buffer): void {
    if (!isRecord(line)) this.#isWhole = false;
    if (this.#judge.isFollowing || line.includes('mark_')) {
      for (const earlier of this.#recent) this.#parse(earlier);
      this.#recent = [];
      this.#parse(line);
    } else if (line.length < recentBytes) {
      this.#recent.push(Buffer.from(line));
      if (this.#recent.length > recentLines) this.#recent.shift();
    }
  }

  #parse(line: Buffer): void {
    const isLarge = line.length > largeBytes && !line.includes('mark_');
    const record = isLarge ? readLarge(line) : parseObject(line.toString('utf8'));
    if (record) this.#judge.take(record);
    else this.#isWhole = false;
  }
}

const recentLines = 32;
const recentBytes = 64 * 1024;
const largeBytes = 256 * 1024;
