import type { MessageView, SendResult } from '../../../src/protocol/messages.ts';
import { Judged } from '../../support/judged.ts';
import { composeBody, readKey } from './body.ts';
import type { Check } from './checks.ts';
import type { AckFact, Copy, DocumentFact, Finding, SendFact } from './facts.ts';
import type { Order } from './orders.ts';
import type { World } from './world.ts';

/** What a sender was told. */
export interface Answer {
  readonly beganAtMs: number;
  readonly answeredAtMs: number;
  readonly result?: SendResult;
  readonly fault?: { readonly code: string; readonly message: string };
}

/** How far a try that nobody heard the end of may have come. */
export type Fate = 'committed' | 'uncommitted' | 'unknown';

interface Tries {
  readonly beganAtMs: number;
  readonly fate: Fate;
}

/** Ids to choose from for replies, acks and looks. */
const remembered = 200;

/**
 * Writes down what senders are told and receivers get, as it comes out of their pipes, and
 * complains at once where an answer cannot be true.
 */
export class Observer {
  readonly sends = new Map<string, SendFact>();
  readonly documents: DocumentFact[] = [];
  readonly acks: AckFact[] = [];
  readonly complaints: Finding[] = [];
  /** How many answers each check met. */
  readonly judged = new Judged<Check>();
  readonly #world: World;
  readonly #orders = new Map<string, Order>();
  readonly #tries = new Map<string, Tries>();
  readonly #recent = new Map<string, string[]>();
  readonly #waiting = new Map<string, Set<string>>();
  readonly #settled = new Set<string>();
  refused = 0;

  constructor(world: World) {
    this.#world = world;
  }

  complain(what: string, id?: string): void {
    this.complaints.push(id === undefined ? { what } : { what, id });
  }

  /** Before anybody is told to send it. */
  noteOrder(order: Order): void {
    this.#orders.set(order.key, order);
  }

  /** The sender died, and was not heard. */
  noteDeath(order: Order, beganAtMs: number, fate: Fate): void {
    const earlier = this.#tries.get(order.key);
    const worse = !earlier || earlier.fate === 'uncommitted' || fate === 'committed';
    this.#tries.set(order.key, {
      beganAtMs: Math.min(beganAtMs, earlier?.beganAtMs ?? beganAtMs),
      fate: worse ? fate : earlier.fate,
    });
  }

  noteAnswer(order: Order, answer: Answer): void {
    const tries = this.#tries.get(order.key);
    if (!answer.result) {
      this.#judgeRefusal(order, answer, tries);
      return;
    }
    const { id, duplicate, to } = answer.result;
    this.#judgeAcceptance(order, answer, tries, duplicate);
    if (to.name !== order.to) this.complain(`${id}: accepted for ${to.name}, not ${order.to}`, id);
    const { key, from } = order;
    const beganAtMs = Math.min(answer.beganAtMs, tries?.beganAtMs ?? answer.beganAtMs);
    const { answeredAtMs } = answer;
    const mayExpire = order.ttlMs !== undefined;
    this.sends.set(id, { key, id, from, to: order.to, beganAtMs, answeredAtMs, mayExpire });
    this.#remember(order.to, id);
    if (!this.#settled.has(id)) this.#waitingOf(order.to).add(id);
    // An answer acks what it answers; the same words to somebody else do not.
    const original = this.sends.get(order.replyTo ?? '');
    if (original?.from === order.to) this.noteAck(original.id, answeredAtMs);
  }

  noteAck(id: string, answeredAtMs: number): void {
    this.acks.push({ id, answeredAtMs });
    this.#settle(id);
  }

  /** A drained document that arrived whole. */
  noteDocument(
    document: Omit<DocumentFact, 'copies'> & { messages: readonly MessageView[] },
  ): DocumentFact {
    const { messages, ...rest } = document;
    const copies = messages.map((message) => this.#toCopy(message));
    const fact: DocumentFact = { ...rest, copies };
    this.documents.push(fact);
    for (const { kind, id, about = '' } of copies) {
      const to = kind === 'bounce' ? this.sends.get(about)?.to : undefined;
      if (to !== undefined && this.#world.removals.has(to))
        this.judged.note('remove: a bounce of a message that nobody took');
      this.#settle(kind === 'bounce' ? about : id);
    }
    return fact;
  }

  /** Its ack is on disk. */
  noteFinish(document: DocumentFact, finishedAtMs: number): void {
    const at = this.documents.lastIndexOf(document);
    this.documents[at] = { ...document, finishedAtMs };
  }

  waitingFor(agent: string): number {
    return this.#waiting.get(agent)?.size ?? 0;
  }

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, ids) => sum + ids.size, 0);
  }

  recentlyAccepted(to: string): readonly string[] {
    return this.#recent.get(to) ?? [];
  }

  /** The key makes a send repeatable (rule 33), and a removed agent takes nothing any more. */
  #judgeAcceptance(
    { key, to }: Order,
    answer: Answer,
    tries: Tries | undefined,
    duplicate: boolean,
  ): void {
    const id = answer.result?.id;
    if (tries?.fate === 'committed') this.judged.note('send: repeated after its commit');
    if (tries?.fate === 'uncommitted')
      this.judged.note('send: repeated after a death before its commit');
    if (tries?.fate === 'committed' && !duplicate)
      this.complain(`${key}: its first sender died after the commit, and it was sent again`, id);
    if ((tries === undefined || tries.fate === 'uncommitted') && duplicate)
      this.complain(`${key}: called a duplicate, and had never been committed`, id);
    const goneAtMs = this.#world.removals.get(to)?.answeredAtMs ?? Number.POSITIVE_INFINITY;
    if (!duplicate && answer.beganAtMs > goneAtMs)
      this.complain(`${key}: accepted for ${to}, who had been removed before`, id);
  }

  #judgeRefusal({ key, to }: Order, answer: Answer, tries: Tries | undefined): void {
    const { code = 'nothing', message = '' } = answer.fault ?? {};
    const removal = this.#world.removals.get(to);
    const isGone = removal !== undefined && removal.beganAtMs <= answer.answeredAtMs;
    if (code !== 'agent-not-found' || !isGone)
      this.complain(`${key} to ${to}: refused with ${code}: ${message}`);
    if (tries?.fate === 'committed')
      this.complain(`${key} to ${to}: refused (${code}), and an earlier try had been committed`);
    this.judged.note('send: refused, the recipient removed');
    this.refused++;
  }

  #toCopy(message: MessageView): Copy {
    const { id, kind, from, to, urgent, attempts } = message;
    const base = { id, kind, from: from.name, to: to.name, urgent, attempts };
    const repeat = message.repeat === true;
    if (kind !== 'message') {
      const about = message.replyTo?.[0] ?? '';
      return { ...base, repeat, about, intact: message.body.includes(about) };
    }
    const key = readKey(message.body);
    const order = this.#orders.get(key);
    const intact = order !== undefined && composeBody(order) === message.body && !message.truncated;
    return { ...base, repeat, key, intact };
  }

  #remember(to: string, id: string): void {
    const ids = this.#recent.get(to) ?? [];
    ids.push(id);
    if (ids.length > remembered) ids.shift();
    this.#recent.set(to, ids);
  }

  #waitingOf(agent: string): Set<string> {
    const ids = this.#waiting.get(agent) ?? new Set();
    this.#waiting.set(agent, ids);
    return ids;
  }

  /** A copy may come before its sender's answer. */
  #settle(id: string): void {
    this.#settled.add(id);
    const to = this.sends.get(id)?.to;
    if (to !== undefined) this.#waiting.get(to)?.delete(id);
  }
}
