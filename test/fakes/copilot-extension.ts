import { mkdirSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Decision } from '../../src/providers/questions.ts';
import { asText, type Json, parseObject } from '../../src/shared/json.ts';

/** The extension for answers, as it speaks to the daemon (Copilot CLI 1.0.102 behind it). */
export class FakeCopilot {
  readonly sent: Decision[] = [];
  quicker: Decision | undefined;
  diesOfAnswer = false;
  /** How a request that we answered ends by Copilot's event; `silent`: no event comes. */
  ends: string | undefined;
  /** Copilot's words where it refuses the call. */
  refusal: Json | undefined;
  front: string;
  readonly #session: string;
  readonly #folder: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #open = new Map<string, Json>();

  constructor(folder: string, session = 'c1') {
    this.#folder = folder;
    this.#session = session;
    this.front = session;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async listen(name = `1.${this.#session}`): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    await new Promise<void>((done) => this.#server.listen(join(this.#folder, name), done));
  }

  ask(key: string, command: string): void {
    const request = { kind: 'commands', fullCommandText: command, intention: 'it must' };
    this.tell({ key, request });
  }

  tell(question: Json): void {
    this.#open.set(String(question['key']), question);
    this.#say();
  }

  settle(key: string): void {
    this.#open.delete(key);
    this.#say();
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.write(`${JSON.stringify({ session: this.#session })}\n`);
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = `${rest}${chunk.toString()}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#answer(socket, parseObject(line) ?? {});
    });
  }

  #answer(socket: Socket, { id, do: act, key, decision }: Json): void {
    const { front } = this;
    const reply = (answer: Json): void =>
      void socket.write(`${JSON.stringify({ id, ...answer })}\n`);
    if (act === 'front') reply({ front });
    if (act === 'list') reply({ questions: [...this.#open.values()], front });
    if (act === 'decide') this.#decide(asText(key) ?? '', decision as Decision, reply);
  }

  #decide(key: string, decision: Decision, reply: (answer: Json) => void): void {
    this.sent.push(decision);
    if (this.diesOfAnswer) this.stop();
    else reply(this.refusal ?? this.#take(key, decision));
  }

  #take(key: string, decision: Decision): Json {
    if (this.quicker) this.settle(key);
    if (!this.#open.has(key)) return { success: false };
    const usual = decision === 'allow' ? 'approved' : 'denied-interactively-by-user';
    const ended = this.ends ?? usual;
    if (ended === 'silent') return { success: true };
    this.settle(key);
    return { success: true, ended };
  }

  #say(): void {
    const told = `${JSON.stringify({ questions: [...this.#open.values()] })}\n`;
    for (const socket of this.#sockets) socket.write(told);
  }
}
