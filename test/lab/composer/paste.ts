import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowOf } from '../../../src/terminals/tmux/screen-pattern.ts';
import type { ScreenPattern } from '../../../src/terminals/writing.ts';
import type { Scenario } from '../record/scenario.ts';
import type { LabSession } from '../record/session.ts';
import { runTmux } from '../run-tmux.ts';

/** A hook that keeps what Claude Code says was submitted, beside what a scenario asks for. */
export function withPromptHook(scenario: Scenario): Scenario {
  const command = `{ cat; echo; } >> "$HOME/${kept}"`;
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] };
  return {
    ...scenario,
    files: (session) => {
      const files = scenario.files?.(session) ?? {};
      const path = join('home', '.claude', 'settings.json');
      const own = files[path] ?? readFileSync(join(session.home.folder, path), 'utf8');
      return { ...files, [path]: JSON.stringify({ ...(JSON.parse(own) as object), hooks }) };
    },
  };
}

const kept = 'submitted.jsonl';

/** What UserPromptSubmit was told, in order. */
export function submitted({ home }: LabSession): readonly string[] {
  const path = join(home.home, kept);
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly prompt: string }).prompt);
}

/** Text and Enter in one command, as the product's guarded paste does it. */
export async function pasteWithEnter(
  { terminal }: Pick<LabSession, 'terminal'>,
  text: string,
): Promise<void> {
  await runTmux(terminal.socket, ['load-buffer', '-b', 'lab', '-'], { input: text });
  const paste = ['paste-buffer', '-p', '-d', '-b', 'lab', '-t', 'lab'];
  await runTmux(terminal.socket, [...paste, ';', 'send-keys', '-t', 'lab', 'Enter'], {});
}

/** Whether tmux finds this on the visible screen. */
export async function stands({ terminal }: LabSession, pattern: ScreenPattern): Promise<boolean> {
  const format = rowOf(pattern);
  const line = await runTmux(terminal.socket, ['display-message', '-p', '-t', 'lab', format], {});
  return Number(line) > 0;
}
