import { type ChildProcess, spawn } from 'node:child_process';
import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';

/** What a call of a tool came back with, as a model gets it. */
export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  readonly document: Json;
}

/** Says where the MCP server is: `tools: env` in config.yaml. */
const variable = 'SIGNALBOX_MCP_SERVER';
const protocolVersion = '2025-06-18';

/**
 * The part of a CLI that has the tools: it starts the MCP server over stdio, says hello, and hands
 * on calls. A server that has ended is started again by the next call; whoever waited for it is
 * told.
 */
export class ToolClient {
  readonly #env: NodeJS.ProcessEnv;
  readonly #waiting = new Map<number, (answer: Json) => void>();
  #server: Promise<ChildProcess> | undefined;
  #child: ChildProcess | undefined;
  #lastId = 0;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  async call(name: string, given: Json): Promise<ToolResult> {
    try {
      this.#server ??= this.#start();
      const child = await this.#server;
      const answer = await this.#ask(child, 'tools/call', { name, arguments: given });
      return readResult(answer);
    } catch (error) {
      // Shown in its terminal, and in the account of the demo.
      this.close();
      return fail(error instanceof Error ? error.message : String(error));
    }
  }

  close(): void {
    // The end of its input ends it.
    this.#child?.stdin?.end();
    this.#server = undefined;
    this.#child = undefined;
  }

  async #start(): Promise<ChildProcess> {
    const { command, args } = parseObject(this.#env[variable] ?? '') ?? {};
    if (typeof command !== 'string') throw new Error(`no tools: ${variable} names no MCP server`);
    const child = spawn(command, asArray(args).map(String), {
      env: this.#env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#child = child;
    child.stdin.on('error', () => undefined);
    const gone = (): void => this.#lose(child);
    child.on('error', gone);
    child.on('exit', gone);
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#hear(parseObject(line) ?? {});
    });
    const clientInfo = { name: 'scripted-agent', version: '1.0.0' };
    const hello = { protocolVersion, capabilities: {}, clientInfo };
    const { error } = await this.#ask(child, 'initialize', hello);
    if (error) throw new Error(asText(asObject(error)['message']) ?? 'the MCP server refused us');
    send(child, { method: 'notifications/initialized' });
    return child;
  }

  #ask(child: ChildProcess, method: string, params: Json): Promise<Json> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      if (child.exitCode === null && child.signalCode === null) send(child, { id, method, params });
      else this.#lose(child);
    });
  }

  #hear(message: Json): void {
    const id = Number(message['id']);
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    resolve?.(message);
  }

  #lose(child: ChildProcess): void {
    if (this.#child === child) this.close();
    const error = { message: 'the MCP server ended before it answered' };
    for (const resolve of this.#waiting.values()) resolve({ error });
    this.#waiting.clear();
  }
}

function send(child: ChildProcess, message: Json): void {
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function readResult({ result, error }: Json): ToolResult {
  if (error) return fail(asText(asObject(error)['message']) ?? 'the MCP server failed');
  const { content, structuredContent, isError } = asObject(result);
  const texts = asArray(content).map((part) => asText(asObject(part)['text']) ?? '');
  return {
    isError: isError === true,
    text: texts.join('\n'),
    document: asObject(structuredContent),
  };
}

function fail(text: string): ToolResult {
  return { isError: true, text, document: {} };
}
