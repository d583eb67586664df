import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AnswerHead, Api, Part, StreamEvent } from './apis/api.ts';
import { bigText } from './big-text.ts';
import { chooseCall } from './choose-tool.ts';
import type { Tool } from './conversation.ts';
import type { Break, Step } from './directives.ts';

export interface Answering {
  readonly api: Api;
  readonly head: AnswerHead;
  readonly isStream: boolean;
  readonly tools: readonly Tool[];
  readonly response: ServerResponse;
  /** Aborted when the client is gone, or the server closes. */
  readonly signal: AbortSignal;
  /** Whether a `@@fail` or `@@break` with a limited number of times still applies. */
  readonly mayFail: (times: number) => boolean;
  /** What the client has got of the answer so far. */
  readonly onSent: (what: 'status' | 'headers' | 'output') => void;
}

/** Plays the steps as one answer. Rejects with the signal's reason when the client goes away. */
export async function play(
  steps: readonly Step[],
  answering: Answering,
): Promise<'finished' | 'failed' | 'broken'> {
  const { api, response, signal, tools } = answering;
  const answer = answering.isStream ? streamed(answering) : gathered(answering);
  for (const step of steps) {
    switch (step.do) {
      case 'say':
        await answer.add({ kind: 'text', text: step.text });
        break;
      case 'sleep':
        await delay(step.ms, undefined, { signal });
        break;
      case 'stream':
        for (let at = 1; at <= step.words; at++) {
          await answer.add({ kind: 'text', text: `word${at} ` });
          await delay(step.everyMs, undefined, { signal });
        }
        break;
      case 'big':
        for (const text of bigText(step.bytes)) await answer.add({ kind: 'text', text });
        break;
      case 'tool':
      case 'mcp': {
        const call = chooseCall(step, { tools, model: answering.head.model });
        const names = tools.map(({ name }) => name).join(', ');
        await answer.add(
          call
            ? { kind: 'call', call }
            : { kind: 'text', text: `The mock finds no tool for this among: ${names}` },
        );
        break;
      }
      case 'fail':
        if (!answering.mayFail(step.times)) break;
        if (!response.headersSent) answering.onSent('status');
        fail(response, step.status, api.failure(step.status, `mock failure ${step.status}`));
        return 'failed';
      case 'break':
        if (!answering.mayFail(step.times)) break;
        await breakOff(step.after, answering);
        return 'broken';
      case 'hang':
        await untilGone(signal);
        break;
      case 'until':
        await Promise.race([step.isTime, untilGone(signal)]);
        break;
      case 'play': // Expanded before it gets here (script.ts).
        break;
    }
  }
  await answer.end();
  return 'finished';
}

function untilGone(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  });
}

interface Answer {
  readonly add: (part: Part) => Promise<void>;
  readonly end: () => Promise<void>;
}

/**
 * Headers go out with the first words, so that a `@@fail` or a `@@hang` before them is one before
 * any answer.
 */
function streamed({ api, head, response, signal, onSent }: Answering): Answer {
  const stream = api.openStream(head);
  let hasBegun = false;
  const send = async (events: readonly StreamEvent[]): Promise<void> => {
    signal.throwIfAborted();
    if (!hasBegun) {
      hasBegun = true;
      openEvents(response);
      onSent('headers');
      await write(response, stream.begin().map(formatEvent).join(''), signal);
    }
    await write(response, events.map(formatEvent).join(''), signal);
  };
  return {
    add: async (part) => {
      await send(part.kind === 'text' ? stream.text(part.text) : stream.call(part.call));
      onSent('output');
    },
    end: async () => {
      await send(stream.end());
      response.end();
    },
  };
}

function gathered({ api, head, response, onSent }: Answering): Answer {
  const parts: Part[] = [];
  return {
    add: async (part) => {
      parts.push(part);
    },
    end: async () => {
      const body = JSON.stringify(api.document(head, joinTexts(parts)));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      onSent('output');
    },
  };
}

/**
 * Begins an answer and drops its connection, when all that was to be said of it is with the client.
 */
async function breakOff(after: Break, { api, head, response, onSent }: Answering): Promise<void> {
  const stream = api.openStream(head);
  const events: Readonly<Record<Break, () => readonly StreamEvent[]>> = {
    headers: () => [],
    blank: stream.blank,
    role: stream.role,
    word: () => [...stream.begin(), ...stream.text('Half')],
    error: () => [...stream.role(), ...stream.error('mock failure in the stream')],
  };
  openEvents(response);
  response.flushHeaders();
  onSent('headers');
  const text = events[after]().map(formatEvent).join('');
  if (text !== '') await new Promise((done) => response.write(text, done));
  if (after === 'word') onSent('output');
  // An error ends a stream as it should end; the others are cut.
  if (after === 'error') response.end();
  else setTimeout(() => response.destroy(), deliveredMs);
}

/**
 * What was written is with the client before the connection goes: an end may overtake what a client
 * has not read yet.
 */
const deliveredMs = 100;

function openEvents(response: ServerResponse): void {
  if (response.headersSent) return;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

function formatEvent({ event, data }: StreamEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event ? `event: ${event}\n` : ''}data: ${text}\n\n`;
}

async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (response.write(text)) return;
  // A client that stops reading would otherwise have us keep a whole answer in memory.
  await new Promise<void>((done, fail) => {
    const abort = (): void => fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    response.once('drain', () => {
      signal.removeEventListener('abort', abort);
      done();
    });
  });
}

function fail(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function joinTexts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'text' && last?.kind === 'text') {
      joined[joined.length - 1] = { kind: 'text', text: last.text + part.text };
    } else joined.push(part);
  }
  return joined;
}
