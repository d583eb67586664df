import { existsSync } from 'node:fs';
import { asObject, asText, type Json } from '../../shared/json.ts';
import { OpenQuestions, refused } from '../open-questions.ts';
import { type Fact, tellFacts } from '../question-text.ts';
import type { AskedFor, CliQuestion, Decided, Decision, QuestionChannel } from '../questions.ts';
import type { LiveContext } from '../way-in.ts';
import { answersFolder } from './answers-extension.ts';
import { ExtensionLink } from './link.ts';

/**
 * Copilot CLI's permission requests, where a launch asked for them (`approvals: remote`): an
 * extension of ours tells each with an id of Copilot's, and answers exactly that one; the dialog
 * stands in the terminal meanwhile (1.0.102). Without it, and where a person has refused it, there
 * is no channel.
 */
export function openQuestions(life: LiveContext): QuestionChannel | undefined {
  const folder = answersFolder(life.current().runFolder);
  return existsSync(folder) ? new ExtensionQuestions(folder, life) : undefined;
}

class ExtensionQuestions implements QuestionChannel {
  readonly #link: ExtensionLink;
  readonly #questions: OpenQuestions<undefined>;
  /** Its extension has said what is open, or is gone since. */
  #isTold = false;
  #isLost = false;

  constructor(folder: string, life: LiveContext) {
    this.#questions = new OpenQuestions(() => life.changed());
    this.#link = new ExtensionLink(folder, {
      onChange: () => this.#follow(),
      onTold: (told) => this.#show(told),
    });
  }

  get open(): readonly CliQuestion[] {
    // A person may have gone back to a conversation whose extension is another one (/resume).
    this.#link.askFront();
    return this.#questions.list;
  }

  get isBlind(): boolean {
    if (this.#link.isConnected) return !this.#isTold;
    return this.#link.isJoining || (this.#isLost && !this.#link.isElsewhere);
  }

  async decide(key: string, decision: Decision, signal: AbortSignal): Promise<Decided> {
    if (this.isBlind) return refused('its extension for answers does not answer');
    return await this.#questions.decide(key, { decision, signal }, async () => {
      const answer = await this.#link.ask({ do: 'decide', key, decision });
      return answer === 'lost'
        ? unknown('its extension for answers has not said what became of it')
        : judge(decision, answer);
    });
  }

  close(): void {
    this.#link.close();
    this.#questions.clear();
  }

  /** Whoever is connected now, or in front again, says anew what is open. */
  #follow(): void {
    this.#isLost ||= this.#isTold;
    this.#isTold = false;
    if (this.#link.isConnected) void this.#ask();
    else this.#questions.clear();
  }

  async #ask(): Promise<void> {
    const answer = await this.#link.ask({ do: 'list' });
    if (answer !== 'lost') this.#show(answer);
  }

  #show({ questions }: Json): void {
    // What a conversation asks that was left is in no terminal.
    if (!Array.isArray(questions) || !this.#link.isConnected) return;
    this.#isTold = true;
    this.#isLost = false;
    const told = questions.flatMap((each) => describe(asObject(each)) ?? []);
    const keys = new Set(told.map(({ key }) => key));
    this.#questions.closeWhere((_, { key }) => !keys.has(key));
    for (const question of told) this.#questions.add(question, undefined);
  }
}

/** By Copilot's own event: a call that it took is not yet a decision of ours that counted. */
function judge(decision: Decision, { success, ended, error, isOpen }: Json): Decided {
  if (error !== undefined) {
    const reason = `Copilot says: ${asText(error) ?? 'an error'}`;
    return isOpen === true ? refused(reason) : unknown(reason);
  }
  if (success !== true) return { outcome: 'gone' };
  const kind = asText(ended);
  if (kind === undefined) return unknown('Copilot has not confirmed it');
  const isYes = kind.startsWith('approved');
  if (kind === (decision === 'allow' ? 'approved' : 'denied-interactively-by-user')) {
    return { outcome: 'taken' };
  }
  return isYes === (decision === 'allow')
    ? unknown(`Copilot says that it ended as ${kind}`)
    : { outcome: 'gone' };
}

function unknown(reason: string): Decided {
  return { outcome: 'unknown', reason };
}

/**
 * Of the kinds that were tried; others are for the terminal: more than one step (a workflow), a
 * power for good (of an extension), and what the managed settings of a company, or a step out of
 * Copilot's sandbox, leave to a person who sees all of it.
 */
function describe({ key, request, isSubAgents }: Json): CliQuestion | undefined {
  const id = asText(key);
  const asked = asObject(request);
  const kind = kinds.get(asked['kind']);
  const isMore =
    asked['managedApprovalRequired'] === true || asked['requestSandboxBypass'] === true;
  if (id === undefined || kind === undefined || isMore) return undefined;
  const { text, decisions } = tellFacts(kind.facts(asked));
  return {
    ...{ key: id, asks: kind.asks, text, decisions },
    ...(isSubAgents === true ? { isSubAgents } : {}),
  };
}

interface Kind {
  readonly asks: AskedFor;
  readonly facts: (asked: Json) => readonly Fact[];
}

const kinds = new Map<unknown, Kind>([
  [
    'commands',
    {
      asks: 'command',
      facts: ({ fullCommandText, intention, warning }) => [
        ['command', fullCommandText],
        ['intention', intention],
        ['warning', warning],
      ],
    },
  ],
  [
    'write',
    {
      asks: 'edit',
      facts: ({ fileName, intention, diff, newFileContents }) => [
        ['file', fileName],
        ['intention', intention],
        ['diff', diff],
        ['new_file', newFileContents],
      ],
    },
  ],
  [
    'mcp',
    {
      asks: 'tool',
      facts: ({ serverName, toolName, toolTitle, args }) => [
        ['server', serverName],
        ['tool', toolName],
        ['title', toolTitle === toolName ? undefined : toolTitle],
        ['input', args],
      ],
    },
  ],
]);
