import { connect, type Socket } from 'node:net';
import { encodeRequest, HerdrError, isObject, parseObject } from './request.ts';
import { type Json, textOf } from './wire.ts';

/** One event, as a hint: which of ours it may be about. Nothing else in it is believed. */
export interface Hint {
  /** With underscores, whichever way it came. */
  readonly event: string;
  readonly panes: readonly string[];
  readonly workspace: string;
}

/**
 * What can tell of terminals of ours that came, went, moved or changed; kinds that 0.6.8 does not
 * know are left out there.
 */
const kinds = [
  'workspace.closed',
  'tab.closed',
  'pane.closed',
  'pane.exited',
  'pane.agent_detected',
] as const;
const newKinds = ['pane.moved', 'pane.updated', 'workspace.updated'] as const;

/** Longer than any event; what does not end is not herdr. */
const maxLine = 4 * 1024 * 1024;

export interface SubscriptionEvents {
  readonly hint: (hint: Hint) => void;
  readonly lost: (reason: string) => void;
}

/**
 * The one connection that is kept: after its request it is only read. A byte from us, or a
 * half-close, would end it without a word (herdr 0.6.8 to 0.8.0, B5); so the whole set is
 * subscribed at once, and another set is another connection. It dies with `close`, or by herdr's
 * hand, and then says so once.
 */
export class Subscription {
  readonly #socket: Socket;
  readonly #events: SubscriptionEvents;
  readonly #acknowledged: Promise<void>;
  #take: (line: string) => void = () => undefined;
  #rest = '';
  #isOver = false;
  #isClosed = false;

  constructor(socketPath: string, isOld: boolean, events: SubscriptionEvents, deadlineMs: number) {
    this.#events = events;
    const wanted = isOld ? kinds : [...kinds, ...newKinds];
    const subscriptions = wanted.map((type) => ({ type }));
    this.#socket = connect(socketPath);
    this.#socket.setEncoding('utf8');
    this.#acknowledged = new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end('herdr did not confirm in time'), deadlineMs);
      const refuse = (reason: string): void => {
        clearTimeout(timer);
        reject(new HerdrError('unknown', 'lost', `events.subscribe: ${reason}`));
      };
      this.#onEnd = refuse;
      this.#take = (line) => {
        const refusal = readRefusal(line);
        if (refusal !== undefined) return this.#end(refusal);
        clearTimeout(timer);
        this.#onEnd = (reason) => {
          if (!this.#isClosed) this.#events.lost(reason);
        };
        this.#take = (event) => this.#tell(event);
        resolve();
      };
    });
    this.#socket.on('data', (part: string) => this.#read(part));
    this.#socket.on('error', (error: NodeJS.ErrnoException) => this.#end(error.code ?? 'lost'));
    this.#socket.on('close', () => this.#end('herdr closed the subscription'));
    this.#socket.write(encodeRequest('events.subscribe', { subscriptions }));
  }

  #onEnd: (reason: string) => void = () => undefined;

  /** Resolves when herdr has confirmed: from then on nothing that happens is missed. */
  acknowledged(): Promise<void> {
    return this.#acknowledged;
  }

  /** Whether nothing more will come. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whoever still waits for the confirmation hears of it; nobody else does. */
  close(): void {
    this.#isClosed = true;
    this.#end('closed');
  }

  #read(part: string): void {
    const lines = `${this.#rest}${part}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (!this.#isOver) this.#take(line);
    if (this.#rest.length > maxLine) this.#end('an event does not end');
  }

  #tell(line: string): void {
    const hint = readHint(line);
    if (hint) this.#events.hint(hint);
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.destroy();
    this.#onEnd(reason);
  }
}

function readRefusal(line: string): string | undefined {
  const answer = parseObject(line);
  if (isObject(answer?.['result'])) return undefined;
  const error = answer?.['error'];
  return isObject(error)
    ? `${textOf(error, 'message')} (${textOf(error, 'code')})`
    : 'no confirmation';
}

/** Dots or underscores, under `event` or under `type` (B6). */
export function readHint(line: string): Hint | undefined {
  const said = parseObject(line);
  if (!said) return undefined;
  const data: Json = isObject(said['data']) ? said['data'] : said;
  const event = (textOf(said, 'event') || textOf(said, 'type')).replaceAll('.', '_');
  if (event === '') return undefined;
  const pane = isObject(data['pane']) ? data['pane'] : {};
  const named = [
    textOf(data, 'pane_id'),
    textOf(data, 'previous_pane_id'),
    textOf(pane, 'pane_id'),
  ];
  const workspace = isObject(data['workspace']) ? textOf(data['workspace'], 'workspace_id') : '';
  return {
    event,
    panes: named.filter((id) => id !== ''),
    workspace: textOf(data, 'workspace_id') || textOf(pane, 'workspace_id') || workspace,
  };
}
