import type { Connection } from './connection.ts';

/** What a person sees and attaches to: `sbx-reviewer`, or `sbx-reviewer-2` when that is taken. */
export async function chooseSessionName(connection: Connection, name: string): Promise<string> {
  const [listed] = await connection.ask([['list-sessions', '-F', 's#{session_name}']]);
  const taken = new Set(listed?.text.split('\n').map((line) => line.slice(1)));
  const wanted = `sbx-${plainName(name)}`;
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? wanted : `${wanted}-${count}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** tmux reads dots and colons as separators of a target and expands formats in names. */
export function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{M}\p{N}_-]/gu, '_') || '_';
}
