import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Role } from '../../../src/agents/role.ts';
import type { Verdict } from '../../../src/agents/status.ts';
import { detect } from '../../../src/providers/detector/detect.ts';
import { loadBuiltIn } from '../../../src/providers/detector/load.ts';
import type { Detector } from '../../../src/providers/detector/rules.ts';
import type { ToolServer } from '../../../src/providers/launch-plan.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { openProviderShelf } from '../../../src/providers/registry.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { HookedLife } from '../evidence/hooked-life.ts';
import { type LabHome, openHome } from '../homes/home.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { type MockLlm, openMockLlm } from '../mock-llm/server.ts';
import type { CliName } from '../versions.ts';
import { addOwnSettings, watchOwnFiles } from './own-settings.ts';
import { type LabToolServer, writeToolServer } from './tool-server.ts';

/** Random, so that whoever says it must have read it in this run. */
export function randomWord(): string {
  return `w${randomBytes(6).toString('hex')}`;
}

/**
 * One real CLI of a user who has instructions and an MCP server of his own, started as `launch`
 * starts it.
 */
export class ToolStage {
  readonly cli: CliName;
  readonly mock: MockLlm;
  readonly home: LabHome;
  readonly provider: Provider;
  /** The server that the agent is given as `signalbox`, and the user's own. */
  readonly ours: LabToolServer;
  readonly mine: LabToolServer;
  readonly ownWord: string;
  readonly identity: Readonly<Record<string, string>>;
  /** Names of the user's files that were changed. */
  readonly changedFiles: () => readonly string[];
  readonly #detector: Detector;
  #life: HookedLife | undefined;
  #lives = 0;

  private constructor(
    parts: Pick<ToolStage, 'cli' | 'mock' | 'home' | 'provider' | 'ours' | 'mine' | 'ownWord'>,
    detector: Detector,
  ) {
    this.cli = parts.cli;
    this.mock = parts.mock;
    this.provider = parts.provider;
    this.ours = parts.ours;
    this.mine = parts.mine;
    this.ownWord = parts.ownWord;
    this.#detector = detector;
    this.identity = {
      SIGNALBOX_SOCKET: join(parts.home.folder, 'socket'),
      SIGNALBOX_AGENT: `agt_${randomWord()}`,
      SIGNALBOX_EPOCH: '1',
      SIGNALBOX_TOKEN: `tok_${randomUUID()}`,
    };
    // As root, Claude Code 2.1.325 gives no permissions away outside a container.
    this.home = { ...parts.home, env: { ...parts.home.env, IS_SANDBOX: '1', ...this.identity } };
    this.changedFiles = watchOwnFiles(parts.home);
  }

  static async open(cli: CliName): Promise<ToolStage> {
    const mock = await openMockLlm();
    // Written before the home is: both lie in its folder, whose name is not known yet.
    const mineArgs: string[] = [];
    const mineServer = { command: process.execPath, args: mineArgs };
    const probe = openHome(cli, { mockUrl: mock.url });
    const mine = writeToolServer(probe.folder, 'mine', randomWord());
    mineArgs.push(...mine.args);
    const home = openHome(cli, { mockUrl: mock.url, mcpServers: { mine: mineServer } });
    const ownWord = randomWord();
    addOwnSettings(home, ownWord);
    const remove = (): void => {
      home.remove();
      probe.remove();
    };
    const folders = { state: home.folder, config: home.folder };
    const provider = await openProviderShelf(folders).find(cli);
    const ours = writeToolServer(home.folder, 'ours', randomWord());
    const parts = { cli, mock, home: { ...home, remove }, provider, ours, mine, ownWord };
    return new ToolStage(parts, await loadBuiltIn(cli));
  }

  get life(): HookedLife {
    if (!this.#life) throw new Error('Nothing was started yet.');
    return this.#life;
  }

  /**
   * The next life, of the same conversation where that is wanted. The lab's own arguments stand for
   * a person's.
   */
  async start(
    role: Role,
    {
      resume,
      extraArgs = [],
    }: { readonly resume?: string; readonly extraArgs?: readonly string[] } = {},
  ): Promise<HookedLife> {
    await this.#life?.end();
    const isModeOurs = role.permission !== undefined || role.permissionMode !== undefined;
    // Claude Code's home asks by an argument, which would win over the role's.
    const args = isModeOurs ? this.home.args.filter((arg) => !isMode(arg)) : this.home.args;
    this.#lives++;
    this.#life = await HookedLife.open({
      provider: this.provider,
      home: { ...this.home, args },
      epoch: this.#lives,
      resume,
      extraArgs,
      role,
      tools: this.tools,
    });
    await waitUntil('a composer', () => this.#isReady(), 90_000).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await this.screen()}`);
    });
    await this.#life.terminal.settled(this.provider.readyAfterMs ?? 1000, 60_000);
    return this.#life;
  }

  get tools(): ToolServer {
    const { command, args } = this.ours;
    return { command, args, variables: Object.keys(this.identity), timeoutMs: 900_000 };
  }

  /** Sends a script and gives the request after so many calls. */
  async ask(script: string, calls: number, deadlineMs = 60_000): Promise<LoggedRequest> {
    const before = this.mock.requests.length;
    await this.life.submit(script);
    const isIt = ({ n, isSide, callsSince, lastUserText }: LoggedRequest): boolean =>
      n > before && !isSide && callsSince >= calls && lastUserText.includes(script);
    return await this.mock.waitFor(isIt, deadlineMs);
  }

  async look(): Promise<Verdict> {
    const { text, styled, title, cursor } = await this.life.terminal.capture();
    const screen = { lines: text.split('\n'), styledLines: styled.split('\n'), title, cursor };
    return detect(this.#detector, screen, this.home.cli.version);
  }

  /** What stands on it, without empty lines. */
  async screen(): Promise<string> {
    const { text } = await this.life.terminal.capture();
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .join('\n');
  }

  async #isReady(): Promise<boolean> {
    const { status, composer } = await this.look();
    // In its other modes nothing tells Claude Code's empty composer from a draft of spaces.
    return (status === 'idle' || status === 'completed') && composer !== 'hidden';
  }

  async close(): Promise<void> {
    await this.#life?.end();
    await this.mock.close();
    this.home.remove();
  }
}

function isMode(arg: string): boolean {
  return arg === '--permission-mode' || arg === 'default';
}
