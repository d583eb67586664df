import { readdirSync, readFileSync } from 'node:fs';
import type { Role } from '../../../src/agents/role.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import type { CliQuestion, QuestionChannel } from '../../../src/providers/questions.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Consent } from '../asked/askers.ts';
import { HookedLife } from '../evidence/hooked-life.ts';
import { type LabHome, openHome } from '../homes/home.ts';
import type { HomeWish } from '../homes/home-wish.ts';
import { type MockLlm, openMockLlm } from '../mock-llm/server.ts';
import { readProcess, signalProcess } from '../processes.ts';
import type { CliName } from '../versions.ts';

export interface LabWish {
  readonly cli: CliName;
  readonly provider: Provider;
  readonly home?: Partial<Omit<HomeWish, 'mockUrl'>>;
  readonly args?: readonly string[];
  readonly role?: Role;
  readonly consent?: Consent;
}

/** A real CLI in a home of its own, and the channel of its questions, as the daemon opens it. */
export class LabQuestions {
  readonly home: LabHome;
  readonly mock: MockLlm;
  readonly life: HookedLife;
  readonly #provider: Provider;
  channel: QuestionChannel;

  private constructor(home: LabHome, mock: MockLlm, life: HookedLife, provider: Provider) {
    this.home = home;
    this.mock = mock;
    this.life = life;
    this.#provider = provider;
    this.channel = this.#open();
  }

  static async open(wish: LabWish): Promise<LabQuestions> {
    const { cli, provider, home: more, args = [], role = {}, consent } = wish;
    const mock = await openMockLlm();
    const home = openHome(cli, { ...more, mockUrl: mock.url });
    try {
      const life = await HookedLife.open({ provider, home, epoch: 1, extraArgs: args, role });
      try {
        if (consent) await agree(life, consent);
        await life.ready();
        return new LabQuestions(home, mock, life, provider);
      } catch (error) {
        await life.end();
        throw error;
      }
    } catch (error) {
      await mock.close();
      home.remove();
      throw error;
    }
  }

  /** As after a restart of the daemon. */
  reopen(): void {
    this.channel.close();
    this.channel = this.#open();
  }

  /** The only question there is, once there is one. */
  async asked(count = 1): Promise<readonly [CliQuestion, ...CliQuestion[]]> {
    await this.until(`${count} open`, () => this.channel.open.length === count);
    const [first, ...rest] = this.channel.open;
    if (!first) throw new Error('It was closed again.');
    return [first, ...rest];
  }

  async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    await waitUntil(what, holds, 120_000).catch(async (error: Error) => {
      const screen = await this.life.terminal.capture().catch(() => undefined);
      const open = JSON.stringify(this.channel.open);
      throw new Error(`${error.message}; open: ${open}; screen:\n${screen?.text.trimEnd()}`);
    });
  }

  /**
   * All that belongs to this run: the program, and a server that it was given. tmux lets a stopped
   * pane go on at once (3.3a): it is stopped, too, and goes on when the others are dead.
   */
  signal(signal: 'SIGSTOP' | 'SIGKILL'): void {
    const { runFolder } = this.life.context();
    const servers = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && readCommand(name).includes(runFolder))
      .flatMap((name) => readProcess(Number(name)) ?? []);
    const family = this.life.terminal.processes();
    const tmux = family.filter(({ command }) => command.startsWith('tmux'));
    if (signal === 'SIGSTOP') for (const found of tmux) signalProcess(found, signal);
    for (const found of [...family, ...servers]) {
      if (!found.command.startsWith('tmux')) signalProcess(found, signal);
    }
    if (signal !== 'SIGSTOP') for (const found of tmux) signalProcess(found, 'SIGCONT');
  }

  async close(): Promise<void> {
    this.channel.close();
    await this.life.end();
    await this.mock.close();
    this.home.remove();
  }

  #open(): QuestionChannel {
    const life = { current: () => this.life.context(), changed: () => undefined };
    const channel = this.#provider.openQuestions?.(life);
    if (!channel) throw new Error('It has no channel.');
    return channel;
  }
}

/** As a person at the terminal. */
async function agree({ terminal }: HookedLife, { dialog, keys }: Consent): Promise<void> {
  await terminal.waitFor('its question at the start', ({ text }) => dialog.test(text), 120_000);
  await terminal.settled(500, 60_000);
  await terminal.keys(...keys);
  await terminal.waitFor('the question gone', ({ text }) => !dialog.test(text), 60_000);
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
