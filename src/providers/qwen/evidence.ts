import { basename, dirname } from 'node:path';
import { LineFollower } from '../follow-lines.ts';
import { codeOf } from '../record-files.ts';
import { doubtForm, RecordForm } from '../record-form.ts';
import { FolderWatch } from '../watch-folder.ts';
import type { AttemptTrace, Evidence, Finding, LiveContext } from '../way-in.ts';
import { readShape } from './form.ts';
import { createJudge, type Judge } from './judge.ts';
import { findTranscript } from './transcript.ts';

/**
 * What Qwen Code's chat files say about our messages. Its event file is no source: it reports a
 * refused request as an answer, and a message that joins a turn not at all (0.24.4). A conversation
 * has a file of its own, also the new one after /clear, where a message that waited may have gone.
 */
export function openEvidence(life: LiveContext): Evidence {
  return new ChatEvidence(life);
}

interface Chat {
  readonly follower: LineFollower;
  judge: Judge;
  form: RecordForm;
}

class ChatEvidence implements Evidence {
  readonly #life: LiveContext;
  readonly #chats = new Map<string, Chat>();
  readonly #watch: FolderWatch;
  /** Why a chat file could not be looked for, this time. */
  #unfound: string | undefined;
  /** One reader of a file at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(life: LiveContext) {
    this.#life = life;
    this.#watch = new FolderWatch({
      onChange: () => life.changed(),
      isOurs: (name) => name.endsWith('.jsonl'),
    });
  }

  async judge(attempts: readonly AttemptTrace[]): Promise<readonly Finding[]> {
    const result = this.#turn.then(() => this.#judge(attempts));
    // Its caller gets the error; the next one only waits for the end.
    this.#turn = result.catch(() => undefined);
    return await result;
  }

  close(): void {
    this.#watch.close();
  }

  async #judge(attempts: readonly AttemptTrace[]): Promise<readonly Finding[]> {
    const { conversation } = this.#life.current();
    const wanted = new Set([conversation, ...attempts.map((attempt) => attempt.conversation)]);
    for (const known of this.#chats.keys()) if (!wanted.has(known)) this.#chats.delete(known);
    this.#unfound = undefined;
    for (const id of wanted) await this.#read(id);
    // Looked for in another place than the one where it wrote, nothing is found, and that proves
    // nothing.
    const isPlaceKnown = Object.keys(this.#life.current().env).length > 0;
    const findings = attempts.map((attempt) => {
      const finding = this.#judgeOne(attempt, conversation);
      return finding.found === 'absent' ? (this.#doubt(attempt, isPlaceKnown) ?? finding) : finding;
    });
    this.#follow(findings.some(({ found }) => found !== 'seen'));
    return findings;
  }

  /** The one it was meant for first; then the one that is current now. */
  #judgeOne(attempt: AttemptTrace, current: string | undefined): Finding {
    const ids = [...new Set([attempt.conversation, current])];
    const findings = ids.flatMap((id) => {
      const chat = id === undefined ? undefined : this.#chats.get(id);
      if (!chat) return [];
      const file = basename(chat.follower.path);
      const finding = chat.judge.judge(attempt, { file, isCurrent: id === current });
      return [chat.form.isForeign ? doubtForm(finding, this.#life.current().version) : finding];
    });
    const found =
      findings.find((finding) => finding.found === 'seen') ??
      findings.find((finding) => finding.found !== 'none' && finding.found !== 'absent') ??
      findings[0];
    const none = { file: 'a conversation that has no chat file', isCurrent: true };
    return found ?? this.#createJudge().judge(attempt, none);
  }

  /** Why "not on record" would mean nothing (rule 41). */
  #doubt(attempt: AttemptTrace, isPlaceKnown: boolean): Finding | undefined {
    if (this.#unfound !== undefined) return unknown(`its chat file: ${this.#unfound}`);
    const bad = [...this.#chats.values()].find(({ follower }) => !follower.isWhole);
    if (bad) return unknown(`${basename(bad.follower.path)} cannot be read in full`);
    if (this.#chats.has(attempt.conversation ?? '')) return undefined;
    if (attempt.conversation === undefined) return unknown('nobody knows its conversation');
    return isPlaceKnown ? undefined : unknown('nobody knows where its chat file lies');
  }

  async #read(id: string | undefined): Promise<void> {
    if (id === undefined) return;
    const chat = this.#chats.get(id) ?? (await this.#open(id));
    if (!chat) return;
    for await (const line of chat.follower.readNew()) {
      if (line === 'begun-again') Object.assign(chat, this.#begin());
      else chat.judge.take(line === 'too-long' ? line : line.toString('utf8'));
      if (typeof line !== 'string') chat.form.takeLine(line);
    }
  }

  /** Undefined before its first prompt, and where it cannot be looked for. */
  async #open(id: string): Promise<Chat | undefined> {
    const path = await this.#find(id);
    if (path === undefined) return undefined;
    const chat = { follower: new LineFollower(path), ...this.#begin() };
    this.#chats.set(id, chat);
    return chat;
  }

  async #find(id: string): Promise<string | undefined> {
    try {
      return await findTranscript({ ...this.#life.current(), conversation: id });
    } catch (error) {
      this.#unfound = codeOf(error);
      if (this.#unfound === undefined) throw error;
      return undefined;
    }
  }

  #begin(): Omit<Chat, 'follower'> {
    return { judge: this.#createJudge(), form: new RecordForm(readShape) };
  }

  #createJudge(): Judge {
    return createJudge(this.#life.current().startedAt);
  }

  #follow(isAwaited: boolean): void {
    const current = this.#chats.get(this.#life.current().conversation ?? '');
    const any = current ?? [...this.#chats.values()][0];
    this.#watch.follow(isAwaited && any ? dirname(any.follower.path) : undefined);
  }
}

function unknown(evidence: string): Finding {
  return { found: 'unknown', evidence };
}
