import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { InstalledCli } from '../find-cli.ts';
import type { CliName } from '../versions.ts';

export interface HomeWish {
  /** Others that live in the same home: a team of several vendors. */
  readonly besides?: readonly CliName[];
  /** `http://127.0.0.1:<port>` of the mock. */
  readonly mockUrl: string;
  /** `ask`: the question whether to trust the folder appears. */
  readonly trust?: 'ask' | 'granted';
  /** `ask`: the CLI knows no account and shows its way in. */
  readonly login?: 'ask' | 'done';
  /**
   * `ask` (unless told): a shell command brings up the permission prompt. `allow-shell`: it runs at
   * once.
   */
  readonly approvals?: 'ask' | 'allow-shell';
  /**
   * Codex: with `allow-shell`, commands run in its sandbox all the same, which may use the network,
   * and write to the folder and to temporary ones.
   */
  readonly sandbox?: 'network';
  readonly theme?: 'dark' | 'light';
  /**
   * Gemini 0.61.0 and others draw their composer differently on a terminal that claims 24 bits of
   * colour.
   */
  readonly colors?: '256' | 'truecolor';
  /**
   * How often a failed request is repeated, where that can be set (Claude Code, Codex): else up to
   * minutes.
   */
  readonly retries?: number;
  /** MCP servers by name. */
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
}

interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface HomePlace {
  readonly home: string;
  readonly cwd: string;
  readonly cli: InstalledCli;
}

export interface HomeSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

export function writeJson(path: string, value: unknown): void {
  writeText(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

export function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
