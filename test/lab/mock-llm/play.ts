import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AnswerHead, Api, Part, StreamEvent } from './apis/api.ts';
import { bigText } from './big-text.ts';
import { chooseCall } from './choose-tool.ts';
import type { Tool } from './conversation.ts';
import type { Step } from './directives.ts';

export interface Answering {
  readonly api: Api;
  readonly head: AnswerHead;
  readonly isStream: boolean;
  readonly tools: readonly Tool[];
  readonly response: ServerResponse;
  /** Aborted when the client is gone, or the server closes. */
  readonly signal: AbortSignal;
  /** Whether a `@@fail` with a limited number of times still applies. */
  readonly mayFail: (times: number) => boolean;
}

/** Plays the steps as one answer. Rejects with the signal's reason when the client goes away. */
export async function play(
  steps: readonly Step[],
  answering: Answering,
): Promise<'finished' | 'failed'> {
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
        fail(response, step.status, api.failure(step.status, `mock failure ${step.status}`));
        return 'failed';
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

/** Headers go out with the first words, so that a `@@fail` or a `@@hang` before them is one before any answer. */
function streamed({ api, head, response, signal }: Answering): Answer {
  const stream = api.openStream(head);
  let hasBegun = false;
  const send = async (events: readonly StreamEvent[]): Promise<void> => {
    signal.throwIfAborted();
    if (!hasBegun) {
      hasBegun = true;
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache',
      });
      await write(response, stream.begin().map(formatEvent).join(''), signal);
    }
    await write(response, events.map(formatEvent).join(''), signal);
  };
  return {
    add: (part) => send(part.kind === 'text' ? stream.text(part.text) : stream.call(part.call)),
    end: async () => {
      await send(stream.end());
      response.end();
    },
  };
}

function gathered({ api, head, response }: Answering): Answer {
  const parts: Part[] = [];
  return {
    add: async (part) => {
      parts.push(part);
    },
    end: async () => {
      const body = JSON.stringify(api.document(head, joinTexts(parts)));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    },
  };
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
