import { join } from 'node:path';
import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';
import { Awaited, confirmMs, OpenQuestions, refused } from '../open-questions.ts';
import { type Fact, tellFacts } from '../question-text.ts';
import type { AskedFor, CliQuestion, Decided, Decision, QuestionChannel } from '../questions.ts';
import type { LiveContext } from '../way-in.ts';
import { EventFile } from './event-file.ts';
import { describeQuestion } from './events.ts';
import { appendToInput } from './input-file.ts';
import { eventFile } from './launch.ts';

/**
 * Qwen Code's permission prompts: its event file tells each with an id of its own, a line in the
 * input file answers exactly that one, and the event file says what came of it (0.24.4). A person's
 * Escape is told nowhere, so that a question may be listed until something follows it; an answer to
 * such a one is refused by Qwen Code and runs nothing. Those of sub-agents are not told.
 */
export function openQuestions(life: LiveContext): QuestionChannel {
  return new FileQuestions(life);
}

interface Asked {
  readonly id: string;
  readonly call: string | undefined;
}

class FileQuestions implements QuestionChannel {
  readonly #life: LiveContext;
  readonly #file: EventFile;
  readonly #questions: OpenQuestions<Asked>;
  readonly #verdicts = new Awaited<Verdict>();
  /** Answers that lie in the input file, and may be read at any time. */
  readonly #sent = new Set<string>();
  #isRead = false;

  constructor(life: LiveContext) {
    this.#life = life;
    this.#questions = new OpenQuestions(() => life.changed());
    this.#file = new EventFile(join(life.current().runFolder, eventFile), {
      onLine: (line) => this.#take(line),
      onRead: () => {
        this.#isRead = true;
      },
    });
    this.#file.open();
  }

  get open(): readonly CliQuestion[] {
    this.#file.check();
    return this.#questions.list;
  }

  get isBlind(): boolean {
    return !this.#isRead;
  }

  async decide(key: string, decision: Decision, signal: AbortSignal): Promise<Decided> {
    const isUnread = this.isBlind && this.#questions.find(key) === undefined;
    if (isUnread) return refused('its event file has not been read yet');
    return await this.#questions.decide(key, { decision, signal }, async ({ id }) =>
      this.#answer(id, decision, signal),
    );
  }

  close(): void {
    this.#file.close();
    this.#questions.clear();
  }

  async #answer(id: string, decision: Decision, signal: AbortSignal): Promise<Decided> {
    if (this.#sent.has(id)) return refused('Qwen Code has a decision already, and is silent');
    const { runFolder } = this.#life.current();
    const answer = { type: 'confirmation_response', request_id: id, allowed: isYes(decision) };
    const line = Buffer.from(`\n${JSON.stringify(answer)}\n`);
    const say = async (ms: number): Promise<Said> => {
      // It may be confirmed before the write is.
      const verdict = this.#verdicts.wait(id, ms);
      const written = await appendToInput(runFolder, line, async () => !signal.aborted);
      // What it may have is waited for.
      return written.outcome === 'refused' ? { reason: written.reason } : { said: await verdict };
    };
    const first = await say(isYes(decision) ? confirmMs : silentMs);
    if ('reason' in first) return refused(first.reason);
    this.#sent.add(id);
    if (first.said !== undefined || isYes(decision)) return judge(decision, first.said);
    // A no to the last open call of a message ends the turn, and is told nowhere. The same no once
    // more can do nothing else, and is answered with an error when that call waits no longer; a yes
    // at the terminal would have been told.
    const second = await say(confirmMs);
    if ('reason' in second) return unknown(second.reason);
    return second.said === 'not-open' ? taken : judge(decision, second.said);
  }

  #take(line: string): void {
    // Each word of an answer is a line: they matter only while a question is open.
    const hasOpen = this.#questions.all.length > 0;
    if (!hasOpen && !line.includes('"control_request"')) return;
    const event = parseObject(line);
    if (event?.['type'] === 'control_request') this.#ask(event);
    else if (event?.['type'] === 'control_response') this.#settle(asObject(event['response']));
    else if (event) this.#pass(event);
  }

  #ask({ request_id, request }: Json): void {
    const id = asText(request_id);
    const asked = asObject(request);
    if (id === undefined || asked['subtype'] !== 'can_use_tool') return;
    if (!isPermission(asked['tool_name'])) return;
    const question = describe(id, asked, this.#life.current().cwd);
    this.#questions.add(question, { id, call: asText(asked['tool_use_id']) });
  }

  #settle({ request_id, subtype, response }: Json): void {
    const id = asText(request_id);
    if (id === undefined) return;
    this.#verdicts.say(id, readVerdict(subtype, asObject(response)['allowed']));
    this.#questions.close(id);
    this.#sent.delete(id);
  }

  /** What cannot come while it waits: then a person has answered without a word to us. */
  #pass(event: Json): void {
    if (event['parent_tool_use_id'] != null) return;
    const blocks = asArray(asObject(event['message'])['content']).map(asObject);
    const isPrompt = event['type'] === 'user' && blocks.some(({ type }) => type === 'text');
    const isAsked =
      event['type'] === 'stream_event' && asObject(event['event'])['type'] === 'message_start';
    if (isPrompt || isAsked || event['type'] === 'result') this.#questions.clear();
    const done = new Set(blocks.map(({ tool_use_id }) => tool_use_id));
    if (event['type'] === 'user') {
      this.#questions.closeWhere(({ call }) => call !== undefined && done.has(call));
    }
  }
}

type Said = { readonly said: Verdict | undefined } | { readonly reason: string };
/** Three of the looks that it takes at its input file (0.24.4). */
const silentMs = 1500;

type Verdict = 'allowed' | 'not-allowed' | 'not-open';

function readVerdict(subtype: unknown, allowed: unknown): Verdict {
  if (subtype !== 'success') return 'not-open';
  return allowed === true ? 'allowed' : 'not-allowed';
}

function isYes(decision: Decision): boolean {
  return decision === 'allow';
}

function judge(decision: Decision, verdict: Verdict | undefined): Decided {
  switch (verdict) {
    case 'allowed':
      return { outcome: isYes(decision) ? 'taken' : 'gone' };
    case 'not-allowed':
      return isYes(decision) ? unknown('Qwen Code says that the tool did not run') : taken;
    case 'not-open':
      return { outcome: 'gone' };
    default:
      return unknown(`Qwen Code has not confirmed it within ${confirmMs / 1000} s`);
  }
}

const taken: Decided = { outcome: 'taken' };

function unknown(reason: string): Decided {
  return { outcome: 'unknown', reason };
}

/** Its question tool wants words, and a plan is more than one step. */
function isPermission(tool: unknown): boolean {
  return describeQuestion(tool) === 'permission' && tool !== 'exit_plan_mode';
}

function describe(id: string, asked: Json, folder: string): CliQuestion {
  const { tool_name, blocked_path, permission_suggestions } = asked;
  const { command, file_path, ...input } = asObject(asked['input']);
  const facts: Fact[] = [
    ['command', command],
    ['file', file_path],
    ['tool', tool_name],
    ['input', Object.keys(input).length > 0 ? input : undefined],
    ['folder', folder],
    ['blocked_path', blocked_path],
    ['question', readSuggestion(permission_suggestions, command)],
  ];
  const { text, decisions } = tellFacts(facts);
  return { key: id, asks: kinds.get(tool_name) ?? 'tool', text, decisions };
}

/** What its own yes says, where that is more than the command: its warnings. */
function readSuggestion(suggestions: unknown, command: unknown): string | undefined {
  const yes = asArray(suggestions)
    .map(asObject)
    .find(({ type }) => type === 'allow');
  const words = asText(yes?.['description']);
  return words === `Execute: ${command}` ? undefined : words;
}

const kinds = new Map<unknown, AskedFor>([
  ['run_shell_command', 'command'],
  ['edit', 'edit'],
  ['write_file', 'edit'],
]);
