import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './apis/anthropic.ts';
import { type Api, countTokens } from './apis/api.ts';
import { chatCompletions } from './apis/chat-completions.ts';
import { gemini } from './apis/gemini.ts';
import { responses } from './apis/responses.ts';
import { asObject, type JsonObject } from './conversation.ts';
import type { Step } from './directives.ts';
import { play } from './play.ts';
import { type LoggedRequest, RequestLog } from './request-log.ts';
import { asksForSuggestion, isSideRequest, type Lesson, sha256, stepsFor } from './script.ts';
import { readTurn } from './user-text.ts';

export interface MockLlm {
  /** Without a path: `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly LoggedRequest[];
  /** The first request that the condition holds for, now or within the deadline. */
  waitFor(
    isWanted: (request: LoggedRequest) => boolean,
    deadlineMs?: number,
  ): Promise<LoggedRequest>;
  /**
   * What `@@play name` does from now on; `owed`: also when something else was said before it was
   * answered.
   */
  teach(name: string, steps: readonly Step[], how?: 'owed'): void;
  /**
   * From now on, what requests of turns get whose body holds this text, instead of what it asks
   * for; undefined: nothing.
   */
  answerWith(text: string, steps: readonly Step[] | undefined): void;
  /** With which a prompt that holds these words is answered, beside its own script. */
  recall(text: string, steps: readonly Step[]): void;
  /** What it says from now on when a CLI asks what a person might type next. */
  suggest(text: string): void;
  /** Ends what is being answered, too. */
  close(): Promise<void>;
}

export interface MockLlmOptions {
  readonly port?: number;
  /** One line of JSON is appended for each request that ended. */
  readonly logFile?: string;
}

/**
 * A model of our own on loopback: speaks four APIs and does what the prompt tells it
 * (directives.ts).
 */
export async function openMockLlm(options: MockLlmOptions = {}): Promise<MockLlm> {
  const log = new RequestLog(options.logFile);
  const closing = new AbortController();
  const taught = new Map<string, Lesson>();
  const failures = new Map<string, number>();
  const spoilt = new Map<string, readonly Step[]>();
  const recalled = new Map<string, readonly Step[]>();
  let suggestion: readonly Step[] | undefined;
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A CLI must not wait for an answer that a bug of ours withheld.
      process.stderr.write(`mock-llm: ${error instanceof Error ? error.stack : error}\n`);
      response.destroy();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const body = await readBody(request);
    if (/count_tokens$/.test(pathname)) return reply(response, { input_tokens: countTokens(body) });
    if (/:countTokens$/.test(pathname)) return reply(response, { totalTokens: countTokens(body) });
    if (/\/models$/.test(pathname)) return reply(response, models);
    const api = apiOf(pathname);
    if (!api || request.method !== 'POST') {
      return reply(response, { error: { message: `The mock has no ${pathname}` } }, 404);
    }
    await answer(api, pathname, body, response);
  }

  async function answer(
    api: Api,
    path: string,
    body: string,
    response: ServerResponse,
  ): Promise<void> {
    const conversation = api.read(parse(body), path);
    const turn = readTurn(conversation);
    const isSide = isSideRequest(conversation, turn);
    const digest = sha256(turn.text);
    const logged = log.add({
      api: api.name,
      isSide,
      lastUserText: turn.text,
      sha256: digest,
      length: Buffer.byteLength(turn.text),
      toolsCount: conversation.tools.length,
      model: conversation.model,
      callsSince: turn.callsSince,
      body,
    });
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const spoiling = isSide ? undefined : [...spoilt].find(([text]) => body.includes(text))?.[1];
      const other = asksForSuggestion(turn) ? suggestion : spoiling;
      const outcome = await play(other ?? stepsFor(turn, conversation, taught, recalled), {
        api,
        head: {
          id: `lab${logged.n}`,
          model: conversation.model,
          createdAt: Math.floor(logged.at / 1000),
        },
        isStream: conversation.isStream,
        tools: conversation.tools,
        response,
        signal: AbortSignal.any([gone.signal, closing.signal]),
        mayFail: (times) => {
          const key = `${digest} ${turn.callsSince}`;
          const soFar = failures.get(key) ?? 0;
          failures.set(key, soFar + 1);
          return soFar < times;
        },
        onSent: (what) => {
          logged.sent = what;
          if (what === 'output') logged.outputAt ??= Date.now();
        },
      });
      log.end(logged, outcome);
    } catch (error) {
      if (!gone.signal.aborted && !closing.signal.aborted) throw error;
      log.end(logged, 'client-closed');
    }
  }

  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(options.port ?? 0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: log.requests,
    answerWith: (text, steps) => {
      if (steps) spoilt.set(text, steps);
      else spoilt.delete(text);
    },
    suggest: (text) => {
      suggestion = [{ do: 'say', text }];
    },
    recall: (text, steps) => void recalled.set(text, steps),
    teach: (name, steps, how) => void taught.set(name, { steps, isOwed: how === 'owed' }),
    waitFor: (isWanted, deadlineMs = 30_000) => log.waitFor(isWanted, deadlineMs),
    close: async () => {
      closing.abort();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function apiOf(path: string): Api | undefined {
  if (/\/messages$/.test(path)) return anthropic;
  if (/\/responses$/.test(path)) return responses;
  if (/\/chat\/completions$/.test(path)) return chatCompletions;
  return /:(streamG|g)enerateContent$/.test(path) ? gemini : undefined;
}

const models = {
  object: 'list',
  data: [{ id: 'mock-model', object: 'model', created: 0, owned_by: 'lab' }],
};

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function parse(body: string): JsonObject {
  try {
    return asObject(JSON.parse(body));
  } catch {
    return {};
  }
}

function reply(response: ServerResponse, body: JsonObject, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
