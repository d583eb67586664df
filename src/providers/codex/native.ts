import { lstatSync } from 'node:fs';
import type { WaitReason } from '../../messages/wait-reason.ts';
import { asObject, asText } from '../../shared/json.ts';
import type { AgentContext } from '../provider.ts';
import { codeOf, isMissing } from '../record-files.ts';
import type {
  AttemptTrace,
  Injected,
  Injection,
  Interrupting,
  LiveContext,
  NativeRoute,
} from '../way-in.ts';
import { type AppServer, appServerSocket, RequestFailure } from './app-server.ts';
import { interruptTurn } from './interrupt.ts';
import { joinThreads, type ThreadsSeat } from './join-threads.ts';
import { explainNoQueue } from './lacks-native.ts';
import { askQueue, deleteFromQueue } from './queue.ts';
import { findRollouts } from './rollout.ts';
import { RolloutReader } from './rollout-reader.ts';

/**
 * The queue of the thread that the terminal shows, on the agent's own app-server. It takes a
 * message at any time: at rest it starts a turn at once, else it waits there for the end of the
 * turn (or of a dialog), nothing is aborted, and a draft in the composer stays (0.166.0). It is
 * kept on disk and survives the server. After an interruption it stands still until the person goes
 * on, or it is released.
 */
export function openNative(life: LiveContext): NativeRoute {
  return new ThreadQueue(life);
}

class ThreadQueue implements NativeRoute {
  readonly #life: LiveContext;
  #seat: ThreadsSeat | undefined;
  #isClosed = false;

  constructor(life: LiveContext) {
    this.#life = life;
    this.#join();
  }

  blocked(): string | undefined {
    if (this.#isClosed) return 'It is closed.';
    this.#join();
    if (!this.#seat) return explainPlain(this.#life.current());
    const { server, shown, trouble } = this.#seat.threads;
    if (!server) return explainLost(trouble);
    return shown ? undefined : 'Codex shows no conversation yet.';
  }

  lacks(): WaitReason | undefined {
    const lacksQueue = this.#seat?.threads.lacksQueue === true;
    return lacksQueue ? explainNoQueue(this.#life.current().version) : undefined;
  }

  async inject({ mark, text, begin, signal }: Injection): Promise<Injected> {
    const reason = this.blocked();
    const { server, shown } = this.#seat?.threads ?? {};
    if (reason !== undefined || !server || !shown) return refuse(reason ?? 'not connected');
    if (signal.aborted) return refuse('it was too late to begin');
    if (!(await begin())) return refuse('the claim no longer holds');
    try {
      const { queuedSubmission } = await server.request('thread/queue/add', {
        threadId: shown.id,
        clientUserMessageId: mark,
        input: [{ type: 'text', text }],
      });
      const id = asText(asObject(queuedSubmission)['id']);
      return { outcome: 'taken', receipt: writeReceipt({ thread: shown.id, submission: id }) };
    } catch (error) {
      return readFailure(error);
    }
  }

  /** Refused while a turn runs: then there is nothing to start, it goes on by itself. */
  async release(): Promise<void> {
    const { server, shown } = this.#seat?.threads ?? {};
    if (!server || !shown) return;
    await startQueue(server, shown.id);
  }

  async interrupt(): Promise<Interrupting> {
    const reason = this.blocked();
    const { server, shown } = this.#seat?.threads ?? {};
    if (reason !== undefined || !server || !shown) return refuse(reason ?? 'not connected');
    return await interruptTurn(server, shown.id);
  }

  /** Only what is certainly still there: the moment it is taken from the queue it may be read. */
  async withdraw({ mark, receipt, conversation }: AttemptTrace): Promise<'withdrawn' | 'unknown'> {
    const server = this.#seat?.threads.server;
    const thread = readReceipt(receipt)?.thread ?? conversation;
    if (!server || thread === undefined) return 'unknown';
    const found = await askQueue(server, thread, mark);
    if (found.at !== 'waiting' || !(await deleteFromQueue(server, found, mark))) return 'unknown';
    const reader = new RolloutReader();
    try {
      reader.add(await findRollouts(this.#life.current().env, thread), 'found');
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      // It is out of the queue, and whether it was read before that nobody can tell (rule 41).
      return 'unknown';
    }
    await reader.read();
    return reader.isWhole && !reader.find(mark) ? 'withdrawn' : 'unknown';
  }

  close(): void {
    this.#isClosed = true;
    this.#seat?.leave();
    this.#seat = undefined;
  }

  #join(): void {
    if (this.#isClosed || this.#seat) return;
    const context = this.#life.current();
    if (!hasServer(context)) return;
    const changed = (): void => this.#life.changed();
    this.#seat = joinThreads(context, { shown: changed, lost: changed, queueless: changed });
  }
}

function readFailure(error: unknown): Injected {
  if (!(error instanceof RequestFailure)) throw error;
  const { kind, code } = error;
  // A method that it does not know is answered with the names of all that it does.
  const reason = error.message.slice(0, 200);
  if (kind === 'unsent') return refuse(reason);
  // Invalid, unknown, overloaded: turned down before anything was done. Any other failure may be
  // one half-way.
  if (kind === 'refused' && code !== undefined && refusals.has(code)) return refuse(reason);
  return { outcome: 'unknown', reason };
}

/** JSON-RPC's, and the server's own for too many requests. */
const refusals = new Set([-32_600, -32_601, -32_602, -32_001]);

function refuse(reason: string): { readonly outcome: 'refused'; readonly reason: string } {
  return { outcome: 'refused', reason };
}

async function startQueue(server: AppServer, threadId: string): Promise<void> {
  try {
    await server.request('thread/queue/start', { threadId });
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
  }
}

/**
 * The socket is a link that the server makes: it stays when the server dies. One that cannot be
 * looked at is there (rule 41).
 */
export function hasServer({ runFolder }: Pick<AgentContext, 'runFolder'>): boolean {
  try {
    return lstatSync(appServerSocket(runFolder)) !== undefined;
  } catch (error) {
    return !isMissing(error);
  }
}

function explainLost(trouble: string | undefined): string {
  return `Codex's app-server is not connected (yet, or again)${trouble === undefined ? '' : `: ${trouble}`}.`;
}

function explainPlain({ version }: AgentContext): string {
  return `This Codex (${version ?? 'of an unknown version'}) was started without an app-server of its own, so its queue cannot be reached.`;
}

/** Which queue took it: the conversation may be another one by the time it is asked for. */
interface Receipt {
  readonly thread: string;
  readonly submission: string | undefined;
}

function writeReceipt({ thread, submission = '' }: Receipt): string {
  return `${thread}/${submission}`;
}

export function readReceipt(text: string | undefined): Receipt | undefined {
  const [thread, submission] = text?.split('/') ?? [];
  return thread ? { thread, submission: submission || undefined } : undefined;
}
