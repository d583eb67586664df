import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { SendResult } from '../../src/protocol/messages.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { type FakeClaude, launchFakeClaude, runHook, writeStop } from '../delivery/fake-claude.ts';
import { createWord } from '../delivery/letter.ts';
import type { Station } from '../terminals/station.ts';

/**
 * What the daemon takes for Claude Code, in one backend; its hooks are run by hand, as the CLI
 * would run them.
 */
export class HookedAgent {
  readonly #station: Station;
  readonly #claude: FakeClaude;
  readonly #name: string;
  readonly #post: string;

  private constructor(station: Station, claude: FakeClaude, name: string) {
    this.#station = station;
    this.#claude = claude;
    this.#name = name;
    this.#post = join(station.home, 'hooks', 'post');
  }

  static async launch(station: Station, folder: string, terminal: string): Promise<HookedAgent> {
    const name = `in-${terminal}`;
    const claude = await launchFakeClaude(station, join(folder, name), { name, terminal });
    const agent = new HookedAgent(station, claude, name);
    await agent.#rest();
    return agent;
  }

  /** Milliseconds from the send to the words that the waiting hook of an agent at rest writes. */
  async wake(): Promise<number> {
    // The client stops after twenty within a minute, which no person sends.
    const life = join(this.#station.home, 'run', 'agents', `${this.#claude.id}-1`);
    rmSync(join(life, 'wakes'), { force: true });
    const word = createWord();
    const hook = this.#run('wait SessionStart', this.#payload(), word);
    await waitUntil('a hook that waits', () => this.#isNativeOpen());
    const startedAt = performance.now();
    const id = await this.#send(word);
    const ms = (await hook) - startedAt;
    await this.#done(id);
    return ms;
  }

  /**
   * Milliseconds from the end of the turn to what the Stop hook then says, of a message that came
   * while it worked.
   */
  async join(): Promise<number> {
    await runHook(`${this.#post} UserPromptSubmit`, this.#claude, this.#payload());
    await this.#untilStatus('processing');
    const word = createWord();
    const id = await this.#send(word);
    const startedAt = performance.now();
    const ms = (await this.#run('Stop', writeStop(this.#claude, 'Done.'), word)) - startedAt;
    await this.#done(id);
    return ms;
  }

  /** The model has answered for it, and its turn is over. */
  async #done(id: string): Promise<void> {
    await this.#station.ask('POST', '/messages/ack', { ids: [id] }, this.#claude.id);
    await this.#rest();
  }

  async #rest(): Promise<void> {
    await runHook(`${this.#post} Stop`, this.#claude, writeStop(this.#claude, 'Done.'));
    await this.#untilStatus('completed');
  }

  async #send(body: string): Promise<string> {
    const letter = { to: this.#name, body };
    return (await this.#station.ask<SendResult>('POST', '/messages', letter)).id;
  }

  /** performance.now() when it says the word. */
  #run(event: string, payload: string, word: string): Promise<number> {
    return new Promise((said, failed) => {
      const { env } = this.#claude;
      // By exec, so that its parent lives as long as we do.
      const child = spawn('sh', ['-c', `exec ${this.#post} ${event}`], { env });
      let text = '';
      let saidAt: number | undefined;
      const hear = (part: Buffer): void => {
        text += part.toString('utf8');
        if (text.includes(word)) saidAt ??= performance.now();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('error', failed);
      child.once('close', (code) => {
        if (saidAt !== undefined) said(saidAt);
        else failed(new Error(`the hook ${event} ended with ${code} and said: ${text}`));
      });
      child.stdin.on('error', () => undefined);
      child.stdin.end(payload);
    });
  }

  #payload(): string {
    const { conversation, cwd } = this.#claude;
    return JSON.stringify({ session_id: conversation, cwd, prompt: 'Go on.' });
  }

  #view(): Promise<AgentView> {
    return this.#station.ask<AgentView>('GET', `/agents/${this.#name}`);
  }

  async #isNativeOpen(): Promise<boolean> {
    const { routes = [], lacks = [] } = await this.#view();
    return routes.includes('native') && !lacks.some(({ route }) => route === 'native');
  }

  async #untilStatus(wanted: string): Promise<void> {
    await waitUntil(`${this.#name} to be ${wanted}`, async () => {
      return (await this.#view()).status === wanted;
    });
  }
}
