import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LabHome } from '../homes/home.ts';
import type { CliName } from '../versions.ts';

/** Where each CLI keeps what its user tells the model in every project, below the home. */
const instructions: Readonly<Record<CliName, string>> = {
  'claude-code': '.claude/CLAUDE.md',
  codex: '.codex/config.toml',
  gemini: '.gemini/GEMINI.md',
  opencode: '.config/opencode/AGENTS.md',
  copilot: '.copilot/copilot-instructions.md',
  qwen: '.qwen/QWEN.md',
  kimi: '.kimi-code/AGENTS.md',
};

/**
 * Files of the user's that a start must leave alone; the CLI writes its own state into those that
 * are `theirs`.
 */
const configuration: Readonly<Record<CliName, readonly string[]>> = {
  'claude-code': ['.claude/settings.json', '.claude.json'],
  codex: [],
  gemini: ['.gemini/settings.json'],
  opencode: ['.config/opencode/opencode.json'],
  copilot: ['.copilot/mcp-config.json', '.copilot/config.json'],
  qwen: ['.qwen/settings.json'],
  kimi: ['.kimi-code/config.toml', '.kimi-code/mcp.json'],
};
const theirs = new Set([
  '.claude.json',
  '.codex/config.toml',
  '.copilot/config.json',
  '.qwen/settings.json',
]);

/**
 * A user who has told his models something, and who wants to be asked before his own server is
 * used.
 */
export function addOwnSettings(home: LabHome, word: string): void {
  const { name } = home.cli;
  const path = join(home.home, instructions[name]);
  mkdirSync(dirname(path), { recursive: true });
  if (name === 'codex') {
    const config = readFileSync(path, 'utf8');
    writeFileSync(path, `developer_instructions = "Always say \\"${word}\\"."\n${config}`);
  } else appendFileSync(path, `Always say ${word}.\n`);
  if (name === 'opencode') {
    const config = join(home.home, '.config/opencode/opencode.json');
    const settings = JSON.parse(readFileSync(config, 'utf8')) as { permission: object };
    const permission = { ...settings.permission, 'mine_*': 'ask' };
    writeFileSync(config, `${JSON.stringify({ ...settings, permission }, undefined, 2)}\n`);
  }
}

/**
 * Says which of the user's files are not as they were; what only the CLI itself has changed does
 * not count.
 */
export function watchOwnFiles(home: LabHome): () => readonly string[] {
  const { name } = home.cli;
  const files = [instructions[name], ...configuration[name]];
  const read = (file: string): string =>
    existsSync(join(home.home, file)) ? readFileSync(join(home.home, file), 'utf8') : '';
  const before = new Map(files.map((file) => [file, digest(read(file))]));
  return () =>
    files.filter((file) => {
      const text = read(file);
      if (theirs.has(file)) return /"signalbox"|mcp__signalbox|SIGNALBOX_/.test(text);
      return digest(text) !== before.get(file);
    });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
